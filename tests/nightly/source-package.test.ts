import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../collector/temporary-folder.ts';

const run = promisify(execFile);
/** npm beside the Node that runs this. */
const env = { ...process.env, PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}` };

async function makeSources(file: string): Promise<Buffer> {
  await run(process.execPath, ['packaging/store/source-package.mjs', file], { env });
  return readFile(file);
}

test('the instructions of the source package, in a clean folder, build Firefox’s extension byte for byte', async () => {
  const folder = await temporaryFolder();
  const [own, clean] = [join(folder, 'own'), join(folder, 'clean')];
  const sources = await makeSources(join(folder, 'sources.zip'));
  expect(await makeSources(join(folder, 'again.zip'))).toEqual(sources);
  for (const [name, content] of Object.entries(unzipSync(sources))) {
    await mkdir(dirname(join(clean, name)), { recursive: true });
    await writeFile(join(clean, name), content);
  }
  const [, commands = ''] = /^```sh\n(.*?)^```/ms.exec(await readFile(join(clean, 'README.md'), 'utf8')) ?? [];
  expect(commands.trim().split('\n')).toHaveLength(2);
  await run('sh', ['-ec', commands], { cwd: clean, env });
  await run(process.execPath, ['extension/build-extension.mjs', '--out', own]);
  const built = await readFile(join(clean, 'dist/firefox.xpi'));
  const ours = await readFile(join(own, 'firefox.xpi'));
  const [theirFiles, ourFiles] = [unzipSync(built), unzipSync(ours)];
  expect(Object.keys(theirFiles)).toEqual(Object.keys(ourFiles));
  expect(Object.keys(ourFiles)).toContain('background.js');
  const different = Object.keys(ourFiles).filter(
    (name) => !Buffer.from(ourFiles[name] ?? []).equals(theirFiles[name] ?? Buffer.of()),
  );
  expect(different).toEqual([]);
  expect(built.equals(ours)).toBe(true);
});
