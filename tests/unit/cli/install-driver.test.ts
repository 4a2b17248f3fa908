import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { installDriver } from '../../../collector/cli/install-driver.ts';

test('a library is installed where Lastbyte is: in the folder, in another one, or globally', async () => {
  const home = await mkdtemp(join(tmpdir(), 'lastbyte-driver-'));
  onTestFinished(() => rm(home, { recursive: true }));
  const own = join(home, 'node_modules/lastbyte');
  expect(installDriver('x@1', '/', own)).toBe('npm install -g x@1');
  await writeFile(join(home, 'package.json'), '{}');
  expect(installDriver('x@1', '/', own)).toBe(`npm install --prefix '${home}' x@1`);
  expect(installDriver('x@1', home, own)).toBe('npm install x@1');
  expect(installDriver('x@1', '/', '/a/clone')).toBe('npm install x@1');
});
