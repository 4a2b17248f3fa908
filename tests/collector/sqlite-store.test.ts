import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { openStore } from '../../collector/storage/open-store.ts';
import { openSqliteStore } from '../../collector/storage/sqlite/open-sqlite-store.ts';
import { NOW, PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';
import { fill } from './fill-store.ts';
import { closeAll, describeStore } from './store-conformance.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Until a step of maintenance has ended, ms. */
const SOON = { timeout: 10_000, interval: 20 };

afterEach(closeAll);

describeStore('sqlite', async () => {
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

test('a database of a newer Lastbyte is left alone; the refusal names that one, and the copy to go back to', async () => {
  const folder = await temporaryFolder();
  await (await openStore({ folder, as: 'command' })).close();
  const database = new Database(join(folder, 'lastbyte.sqlite'));
  database.pragma('user_version = 999');
  database.exec(`UPDATE kept SET value = '"9.8.7"' WHERE name = 'migratedBy'`);
  database.close();
  const before = await readFile(database.name);
  const copy = join(folder, 'lastbyte-before-version-999.sqlite');
  for (const content of ['', 'a database']) {
    await writeFile(copy, content);
    await expect(openStore({ folder, as: 'command' })).rejects.toMatchObject({
      code: 'store_too_new',
      message: expect.stringMatching(/written by Lastbyte 9\.8\.7 \(tables of version 999\); this is Lastbyte \d/),
      hint: `Install that one or a later one${content === '' ? '' : `, or go back: put ${copy} into an empty folder as lastbyte.sqlite`}.`,
    });
  }
  expect(before.equals(await readFile(database.name))).toBe(true);
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

test('before the shared settings are known for the first time, nothing is removed', async () => {
  const folder = await temporaryFolder();
  const before = await openStore({ folder, as: 'command' });
  await fill(before, [PLAIN_SAMPLE]);
  await before.close();
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const failures: unknown[] = [];
  const store = openSqliteStore({
    folder,
    as: 'server',
    control: 'postgres://lastbyte@db.example.com/lastbyte',
    clock: () => NOW + 60 * 86_400_000,
    monotonic: () => 0,
    onMaintenanceError: (error, job) => failures.push([job, error]),
  });
  onTestFinished(() => store.close());
  await vi.advanceTimersByTimeAsync(10_000);
  const refusal = ['prune', expect.objectContaining({ code: 'control_unreachable' })];
  await vi.waitFor(() => expect(failures).toEqual([refusal]), SOON);
  expect(await store.maintenance.keptFrom()).toBe(0);
});
