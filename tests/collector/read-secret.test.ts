import { execFile } from 'node:child_process';
import { mkdir, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { readSecret } from '../../collector/outgoing/read-secret.ts';
import type { SecretReference } from '../../shared/settings/secret-reference.ts';
import { temporaryFolder } from './temporary-folder.ts';

async function places(environment: Record<string, string> = {}) {
  const folder = join(await temporaryFolder(), 'secrets');
  await mkdir(folder);
  const read = (reference: SecretReference) => readSecret(reference, { folder, environment });
  return { folder, read };
}

test('a file of the folder, and a variable with the prefix, are read each time', async () => {
  const { folder, read } = await places({ LASTBYTE_SECRET_HOOK: 'https://hook' });
  await writeFile(join(folder, 'token'), 'first\n');
  expect(await read({ file: 'token' })).toBe('first');
  await writeFile(join(folder, 'token'), 'second');
  expect(await read({ file: 'token' })).toBe('second');
  expect(await read({ env: 'LASTBYTE_SECRET_HOOK' })).toBe('https://hook');
});

test('a link within the folder is followed, as Kubernetes mounts secrets', async () => {
  const { folder, read } = await places();
  await mkdir(join(folder, '..2026'));
  await writeFile(join(folder, '..2026', 'token'), 'deep');
  await symlink('..2026', join(folder, '..data'));
  await symlink(join('..data', 'token'), join(folder, 'token'));
  expect(await read({ file: 'token' })).toBe('deep');
});

test.each([
  '/etc/passwd',
  '/dev/zero',
  '/proc/self/environ',
  '../key.pem',
  '..',
  '.',
  '.hidden',
  'a/b',
  'a\\b',
  'a\0b',
  '',
  'packages/key.pem',
])('%j is no name in the folder', async (file) => {
  const { read } = await places();
  await expect(read({ file })).rejects.toMatchObject({ code: 'secret_refused' });
});

test('links out of the folder, devices, pipes and folders are refused', async () => {
  const { folder, read } = await places();
  await writeFile(join(folder, '..', 'signing.key'), 'private');
  await mkdir(join(folder, '..', 'secrets-beside'));
  await writeFile(join(folder, '..', 'secrets-beside', 'x'), 'private');
  await symlink('../signing.key', join(folder, 'out'));
  await symlink('../secrets-beside/x', join(folder, 'beside'));
  await symlink('/dev/zero', join(folder, 'zero'));
  await mkdir(join(folder, 'folder'));
  await promisify(execFile)('mkfifo', [join(folder, 'pipe')]);
  for (const file of ['out', 'beside', 'zero', 'folder', 'pipe']) {
    await expect(read({ file }), file).rejects.toMatchObject({ code: 'secret_refused' });
  }
});

test('what is too large is refused without being read', async () => {
  const { folder, read } = await places();
  await writeFile(join(folder, 'whole'), 'x'.repeat(65_536));
  expect(await read({ file: 'whole' })).toHaveLength(65_536);
  await writeFile(join(folder, 'large'), '');
  await truncate(join(folder, 'large'), 8 * 1024 ** 3);
  await expect(read({ file: 'large' })).rejects.toMatchObject({ code: 'secret_refused' });
});

test('what is not there, or empty, is missing', async () => {
  const { folder, read } = await places({ LASTBYTE_SECRET_EMPTY: '' });
  await writeFile(join(folder, 'empty'), '\n');
  const references = [
    { file: 'none' },
    { file: 'empty' },
    { env: 'LASTBYTE_SECRET_EMPTY' },
    { env: 'LASTBYTE_SECRET_NONE' },
  ];
  for (const reference of references) await expect(read(reference)).rejects.toMatchObject({ code: 'secret_missing' });
  const nowhere = readSecret({ file: 'x' }, { folder: null, environment: {} });
  await expect(nowhere).rejects.toMatchObject({ code: 'secret_missing' });
});

test.each(['PATH', 'LASTBYTE_CHAT_URL', 'LASTBYTE_SECRET_', 'lastbyte_secret_x', 'LASTBYTE_SECRETX', '__proto__'])(
  'the variable %s may not be named',
  async (env) => {
    const { read } = await places({ PATH: '/bin', LASTBYTE_SECRET_: 'x', LASTBYTE_CHAT_URL: 'x' });
    await expect(read({ env })).rejects.toMatchObject({ code: 'secret_refused' });
  },
);
