import { chmod, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, expect, test } from 'vitest';
import { openStore } from '../../collector/storage/open-store.ts';
import { describeRollups } from './rollup-conformance.ts';
import { closeAll, describeStore } from './store-conformance.ts';
import { temporaryFolder } from './temporary-folder.ts';

afterEach(closeAll);

describeStore('sqlite', async () => {
  const folder = await temporaryFolder();
  return { open: () => openStore({ folder, as: 'command' }) };
});

describeRollups('sqlite', async () => {
  const folder = await temporaryFolder();
  return { open: () => openStore({ folder, as: 'command' }) };
});

test('a second server on the same data folder is refused; commands are not', async () => {
  const folder = await temporaryFolder();
  const server = await openStore({ folder, as: 'server' });
  await expect(openStore({ folder, as: 'server' })).rejects.toMatchObject({
    code: 'data_folder_in_use',
    message: expect.stringContaining(folder),
  });
  const command = await openStore({ folder, as: 'command' });
  await command.tokens.create({ id: 't', role: 'ingest', hash: 'h', createdAt: 0, label: '' });
  expect(await server.tokens.findByHash('h')).not.toBeNull();
  await command.close();
  await server.close();
  await (await openStore({ folder, as: 'server' })).close();
});

test('a data folder that is a file is refused with what to do', async () => {
  const file = join(await temporaryFolder(), 'data');
  await writeFile(file, '');
  await expect(openStore({ folder: file, as: 'server' })).rejects.toMatchObject({
    code: 'data_folder_unusable',
    hint: expect.stringContaining('--data'),
  });
});

test('a file that is no database is refused as damaged', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'lastbyte.sqlite'), 'this is a shopping list, not a database'.repeat(100));
  await expect(openStore({ folder, as: 'command' })).rejects.toMatchObject({ code: 'store_corrupt' });
});

test('a database of a newer Lastbyte is left alone', async () => {
  const folder = await temporaryFolder();
  await (await openStore({ folder, as: 'command' })).close();
  const database = new Database(join(folder, 'lastbyte.sqlite'));
  database.pragma('user_version = 999');
  database.close();
  await expect(openStore({ folder, as: 'command' })).rejects.toMatchObject({ code: 'store_too_new' });
});

test.runIf(process.platform !== 'win32')('only its owner can read the data, in whatever folder they lie', async () => {
  const folder = await temporaryFolder();
  await chmod(folder, 0o755);
  await (await openStore({ folder, as: 'server' })).close();
  const database = await stat(join(folder, 'lastbyte.sqlite'));
  expect((database.mode & 0o777).toString(8)).toBe('600');
});

test('readers do not stop the writer: the database is in WAL mode', async () => {
  const folder = await temporaryFolder();
  const store = await openStore({ folder, as: 'command' });
  const database = new Database(join(folder, 'lastbyte.sqlite'));
  expect(database.pragma('journal_mode', { simple: true })).toBe('wal');
  database.close();
  await store.close();
});
