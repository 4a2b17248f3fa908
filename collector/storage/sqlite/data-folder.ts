import { closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { StoreError } from '../store-error.ts';
import { migrate, needsMigration } from './migrations.ts';
import { type DatabaseLocation, openDatabase } from './open-database.ts';

export const DATABASE_FILE = 'lastbyte.sqlite';
export const SERVER_LOCK = 'server.lock';
/** Checking more at the start would take longer than a person waits. */
const MAX_CHECKED_BYTES = 2 ** 30;

export function refuseMissing(path: string): void {
  try {
    statSync(join(path, DATABASE_FILE));
  } catch (error) {
    const [fault, hint] =
      (error as NodeJS.ErrnoException).code === 'EACCES'
        ? [`the data folder ${path} cannot be read`, 'Run this as the owner of the folder.']
        : [
            `there is no collector data in ${path}`,
            'Name its folder with --data. A new one is made by `lastbyte serve`, or by --create of settings apply and token create.',
          ];
    throw new StoreError('data_folder_unusable', fault, hint, error);
  }
}

/** It holds hashes of tokens and users' timings, so only its owner may read it, whatever the mode of the folder. */
export function makeFolder(path: string): void {
  try {
    makeEach(path);
    // SQLite gives its other files the same mode. Not if it exists: closing it would drop this process's locks on it.
    if (!existsSync(join(path, DATABASE_FILE))) closeSync(openSync(join(path, DATABASE_FILE), 'a', 0o600));
  } catch (error) {
    throw new StoreError(
      'data_folder_unusable',
      `the data folder ${path} cannot be created or written`,
      'Check the permissions of its parent, or name another one with --data.',
      error,
    );
  }
}

/** mkdir's own `recursive` never ends if nothing can be created in an existing parent, as in /proc. */
function makeEach(path: string): void {
  if (existsSync(path)) return;
  makeEach(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

/** @param unlocked the folder, if this process does not hold the server's lock */
export function openMigrated(
  location: DatabaseLocation,
  notice: (text: string) => void,
  unlocked: string | null,
): Database.Database {
  const database = openDatabase(location);
  let unlock: (() => void) | null = null;
  try {
    if (unlocked !== null && needsMigration(database)) unlock = lockForMigration(unlocked);
    migrate(database, notice);
    return database;
  } catch (error) {
    database.close();
    throw error;
  } finally {
    unlock?.();
  }
}

/** A running server has the version of the database: after a migration it could no longer store anything. */
function lockForMigration(folder: string): () => void {
  try {
    return lockForServer(folder);
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'data_folder_in_use') throw error;
    throw new StoreError(
      'data_folder_in_use',
      `the data folder ${folder} was written by an older Lastbyte whose server is running`,
      'Restart the server with this version first.',
      error,
    );
  }
}

/** Finds damage at the start instead of at some later query. Large files take too long; `lastbyte check` reads them. */
export function refuseDamaged(database: Database.Database): void {
  const found = quickCheck(database) ?? 'ok';
  if (found === 'ok') return;
  database.close();
  throw new StoreError(
    'store_corrupt',
    `the database file is damaged (${found})`,
    'Restore a copy made by lastbyte backup: put it into an empty data folder as lastbyte.sqlite.',
  );
}

/** `ok` or the first fault; null where the database is too large to be read now. */
export function quickCheck(database: Database.Database): string | null {
  const pages = database.pragma('page_count', { simple: true }) as number;
  const pageSize = database.pragma('page_size', { simple: true }) as number;
  if (pages * pageSize > MAX_CHECKED_BYTES) return null;
  const [first] = database.pragma('quick_check(1)') as { quick_check: string }[];
  return first?.quick_check.split('\n').at(-1) ?? 'ok';
}

/**
 * Keeps a second server off the data folder by SQLite's own file lock on a file of its own. The kernel releases it with the
 * process; a file with a process id would stay behind after `kill -9`. Throws a StoreError if another server holds it.
 *
 * @returns releases the lock
 */
export function lockForServer(folder: string): () => void {
  return lockFile(join(folder, SERVER_LOCK), (cause) => {
    const hint = 'Stop that server first, or give this one its own folder with --data.';
    return new StoreError(
      'data_folder_in_use',
      `another Lastbyte server is using the data folder ${folder}`,
      hint,
      cause,
    );
  });
}

/** Keeps a second `lastbyte migrate` off. Throws a StoreError. @returns releases the lock */
export function lockForCopy(folder: string): () => void {
  return lockFile(join(folder, 'migrate.lock'), (cause) => {
    const hint = 'Wait until it has ended.';
    return new StoreError('data_folder_in_use', `another lastbyte migrate is copying ${folder}`, hint, cause);
  });
}

function lockFile(file: string, refusal: (cause: unknown) => StoreError): () => void {
  const lock = new Database(file, { timeout: 0 });
  try {
    // Nothing is ever written to it, and no journal is created: a full disk must not keep the server from starting.
    lock.pragma('journal_mode = MEMORY');
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) throw refusal(error);
    throw error;
  }
  return () => lock.close();
}
