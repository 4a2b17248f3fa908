import { execFile } from 'node:child_process';
import { createHash, generateKeyPairSync } from 'node:crypto';
import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { IS_SHORT } from '../rounds.ts';
import { temporaryFolder } from './temporary-folder.ts';

const execute = promisify(execFile);
const PACKED = ['chromium.zip', 'firefox.xpi'];
const SOURCES = ['extension', 'shared', 'collector/rollout/package', 'package.json', 'tsconfig.base.json'];

async function sha256(file: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
}

/** `npm run build:extension` of a copy of the sources, elsewhere. */
async function buildInCopy(): Promise<{ folder: string; hashes: string[] }> {
  const folder = await temporaryFolder();
  for (const source of SOURCES) await cp(source, join(folder, source), { recursive: true });
  await symlink(resolve('node_modules'), join(folder, 'node_modules'), 'junction');
  await execute(process.execPath, ['extension/build-extension.mjs'], { cwd: folder });
  return { folder, hashes: await Promise.all(PACKED.map((name) => sha256(join(folder, 'dist', name)))) };
}

test.skipIf(IS_SHORT)(
  'two builds in two folders are the same byte for byte, and web-ext finds nothing wrong with Firefox’s',
  async () => {
    const [first, second] = await Promise.all([buildInCopy(), buildInCopy()]);
    expect(second.hashes).toEqual(first.hashes);
    // The folder and the file, which web-ext unpacks by itself.
    for (const source of ['extension/firefox', 'firefox.xpi']) {
      const { stdout } = await execute(
        process.execPath,
        [
          resolve('node_modules/web-ext/bin/web-ext.js'),
          'lint',
          '--output',
          'json',
          '--source-dir',
          join('dist', source),
        ],
        { cwd: first.folder },
      );
      const { errors, warnings, metadata } = JSON.parse(stdout);
      expect([source, errors, warnings]).toEqual([source, [], []]);
      expect(metadata).toMatchObject({ id: 'lastbyte@lastbyte.dev', manifestVersion: 3 });
    }
  },
  120_000,
);

test('the licences of bundled packages come along, each where its code is', async () => {
  const { folder } = await buildInCopy();
  const licenses = (engine: string) => readFile(join(folder, 'dist/extension', engine, 'licenses.txt'), 'utf8');
  const [chromium, firefox] = await Promise.all(['chromium', 'firefox'].map(licenses));
  expect(chromium).toMatch(/^webextension-polyfill [\d.]+ \(MPL-2\.0\)\n\nMozilla Public License/m);
  expect(firefox).not.toContain('webextension-polyfill');
  expect(firefox).toMatch(/^dom-accessibility-api /);
});

test('a key gives Chromium’s a fixed id, and changes nothing else', async () => {
  const folder = await temporaryFolder();
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = join(folder, 'key.pem');
  await writeFile(key, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  await execute(process.execPath, ['extension/build-extension.mjs', '--out', folder, '--key', key]);
  const manifest = JSON.parse(await readFile(join(folder, 'extension/chromium/manifest.json'), 'utf8'));
  expect(manifest.key).toBe(publicKey.export({ type: 'spki', format: 'der' }).toString('base64'));
  expect(await readFile(join(folder, 'extension/firefox/manifest.json'), 'utf8')).not.toContain('"key"');
}, 60_000);
