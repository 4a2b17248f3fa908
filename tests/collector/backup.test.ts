import { spawnSync } from 'node:child_process';
import { mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { openStore } from '../../collector/storage/open-store.ts';
import { copyBeforeMigration } from '../../collector/storage/sqlite/copy-database.ts';
import { lockForServer } from '../../collector/storage/sqlite/data-folder.ts';
import { STEPS } from '../../collector/storage/sqlite/migrations.ts';
import { openSqliteStore } from '../../collector/storage/sqlite/open-sqlite-store.ts';
import { NOW, ORIGIN, PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';
import { run } from './command.ts';
import { fill } from './fill-store.ts';
import { temporaryFolder } from './temporary-folder.ts';

const DAY = 86_400_000;
const RETENTION = { sampleDays: 30, hourDays: 90, dayDays: 731, monthDays: null };
const COPY = `lastbyte-before-version-${STEPS.length}.sqlite`;

const modeOf = async (file: string) => ((await stat(file)).mode & 0o777).toString(8);

/** A data folder as the first version left it, with one token. */
async function oldFolder(): Promise<string> {
  const folder = await temporaryFolder();
  const database = new Database(join(folder, 'lastbyte.sqlite'));
  database.exec(STEPS[0] as string);
  database.exec("INSERT INTO token VALUES ('old', 'read', 'h', 0, '')");
  database.pragma('user_version = 1');
  database.close();
  return folder;
}

test.runIf(process.platform !== 'win32')('a backup is for its owner alone, and nothing is left beside it', async () => {
  const [folder, out] = [await temporaryFolder(), await temporaryFolder()];
  const store = await openStore({ folder, as: 'server' });
  const file = join(out, 'copy.sqlite');
  await store.maintenance.backup(file);
  await store.close();
  expect(await modeOf(file)).toBe('600');
  expect(await readdir(out)).toEqual(['copy.sqlite']);
});

test.each([
  ['a folder that is missing', 'missing/copy.sqlite', /no folder .*missing\. Create the folder first/],
  ['a file where a folder should be', 'file/copy.sqlite', /no folder .*file\./],
])('a backup into %s is refused in one line', async (_what, name, words) => {
  const folder = await temporaryFolder();
  await (await openStore({ folder, as: 'command' })).close();
  await writeFile(join(folder, 'file'), '');
  const { code, stderr } = await run(['backup', join(folder, name), '--data', folder]);
  expect([code, stderr.trim().split('\n').length]).toEqual([1, 1]);
  expect(stderr).toMatch(words);
});

test('a database is copied before it is migrated; one copy is kept, for its owner alone', async () => {
  const folder = await oldFolder();
  await writeFile(join(folder, 'lastbyte-before-version-1.sqlite'), 'of an earlier update');
  const notices: string[] = [];
  const store = await openStore({ folder, as: 'server', onNotice: (text) => notices.push(text) });
  expect(await store.tokens.list()).toHaveLength(1);
  await store.close();
  expect(notices).toEqual([expect.stringContaining(COPY)]);
  expect((await readdir(folder)).filter((name) => name.startsWith('lastbyte-before'))).toEqual([COPY]);
  expect(await modeOf(join(folder, COPY))).toBe('600');
  const copy = new Database(join(folder, COPY), { readonly: true });
  expect(copy.pragma('user_version', { simple: true })).toBe(1);
  expect(copy.prepare('SELECT id FROM token').pluck().all()).toEqual(['old']);
  copy.close();
  // Nothing to migrate, nothing to copy.
  await (await openStore({ folder, as: 'server', onNotice: (text) => notices.push(text) })).close();
  expect(notices).toHaveLength(1);
});

test('a new folder is not copied; an empty file says that an operator has a copy', async () => {
  const fresh = await temporaryFolder();
  await (await openStore({ folder: fresh, as: 'command' })).close();
  expect((await readdir(fresh)).filter((name) => name.startsWith('lastbyte-before'))).toEqual([]);
  const folder = await oldFolder();
  await writeFile(join(folder, COPY), '');
  await (await openStore({ folder, as: 'command' })).close();
  expect((await stat(join(folder, COPY))).size).toBe(0);
});

test('where the copy cannot be written, or there is no room, the database stays as it was', async () => {
  const folder = await oldFolder();
  await mkdir(join(folder, COPY));
  await expect(openStore({ folder, as: 'command' })).rejects.toMatchObject({
    code: 'data_folder_unusable',
    message: expect.stringContaining(COPY),
  });
  const database = new Database(join(folder, 'lastbyte.sqlite'));
  expect(() => copyBeforeMigration(database, 99, { notice: () => {}, freeBytes: () => 1000 })).toThrow(
    /not enough space to copy/,
  );
  expect(database.pragma('user_version', { simple: true })).toBe(1);
  database.close();
  expect((await readdir(folder)).filter((name) => name.includes('.part') || name.includes('99'))).toEqual([]);
});

test('what a copy that was killed left is removed at the next start, what another process writes is not', async () => {
  const folder = await oldFolder();
  // A process that has ended, and one that runs.
  const { pid: ended = 0 } = spawnSync(process.execPath, ['--version']);
  const leftOver = [`${COPY}.${ended}.part`, `${COPY}.${ended}.part-journal`, `${COPY}.${process.pid}.part`];
  const written = `${COPY}.${process.ppid}.part`;
  for (const name of [...leftOver, written]) await writeFile(join(folder, name), 'half of a database');
  await (await openStore({ folder, as: 'server' })).close();
  expect((await readdir(folder)).filter((name) => name.startsWith('lastbyte-before'))).toEqual([COPY, written]);
});

test('the copy goes after two weeks, and at once with what is erased', async () => {
  const clock = () => NOW;
  for (const way of ['age', 'erase'] as const) {
    const folder = await oldFolder();
    const store = await openStore({ folder, as: 'server', clock });
    const file = join(folder, COPY);
    await utimes(file, NOW / 1000, (NOW - 13 * DAY) / 1000);
    await store.maintenance.prune(NOW, RETENTION);
    expect((await readFile(file)).length).toBeGreaterThan(0);
    if (way === 'age') await store.maintenance.prune(NOW + 2 * DAY, RETENTION);
    else {
      await store.maintenance.erase({ client: 'a-mistyped-id' });
      expect(await readdir(folder)).toContain(COPY);
      await fill(store, [{ ...PLAIN_SAMPLE, at: NOW - DAY }]);
      await store.maintenance.erase({ client: ORIGIN.client });
    }
    expect(await readdir(folder)).not.toContain(COPY);
    await store.close();
  }
});

test('a command leaves a folder as it is whose server is of an older version, and says what to do', async () => {
  const folder = await oldFolder();
  const unlock = lockForServer(folder);
  expect(() => openSqliteStore({ folder, as: 'command' })).toThrow(
    expect.objectContaining({ code: 'data_folder_in_use', hint: expect.stringContaining('Restart the server') }),
  );
  const database = new Database(join(folder, 'lastbyte.sqlite'), { readonly: true });
  expect(database.pragma('user_version', { simple: true })).toBe(1);
  database.close();
  unlock();
  await openSqliteStore({ folder, as: 'command' }).close();
});
