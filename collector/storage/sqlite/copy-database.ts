import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import Sqlite, { type Database } from 'better-sqlite3';
import { StoreError } from '../store-error.ts';

/** All that is in the database: for its owner alone, like the database itself. */
const OWNER_ONLY = 0o600;

/** Copies the database of a running server. Throws a StoreError. */
export function writeBackup(database: string, file: string): void {
  if (existsSync(file)) {
    throw new StoreError('data_folder_unusable', `${file} exists already`, 'Name a file that does not exist yet.');
  }
  // A connection of its own would drop this process's locks once it is closed, but only a command makes a backup.
  const source = new Sqlite(database, { readonly: true });
  try {
    copyDatabase(source, file);
  } finally {
    source.close();
  }
}

/**
 * One snapshot that includes the log, in whatever state the log is and whoever writes meanwhile; under another name until it is
 * whole and on the disk. Throws a StoreError.
 */
export function copyDatabase(database: Database, file: string): void {
  const part = partOf(file, process.pid);
  try {
    rmSync(part, { force: true });
    // SQLite gives the files that it makes beside this one the same mode.
    closeSync(openSync(part, 'wx', OWNER_ONLY));
  } catch (error) {
    throw copyFailure(error, file);
  }
  try {
    database.prepare('VACUUM INTO ?').run(part);
    // Which `VACUUM INTO` leaves to the system.
    const copy = openSync(part, 'r+');
    fsyncSync(copy);
    closeSync(copy);
    renameSync(part, file);
  } catch (error) {
    rmSync(part, { force: true });
    rmSync(`${part}-journal`, { force: true });
    throw copyFailure(error, file);
  }
}

/** What a copy is called until it is whole, and by which process it is being made. */
function partOf(file: string, pid: number): string {
  return `${file}.${pid}.part`;
}

/** Whether a file of this name was left by a process that ended in the middle of a copy. */
export function isLeftOver(name: string): boolean {
  const pid = Number(/\.(\d+)\.part(?:-journal)?$/.exec(name)?.[1] ?? Number.NaN);
  // In a container every start has the same id; none that runs is in the middle of a copy while it looks.
  return pid === process.pid || (Number.isInteger(pid) && !isRunning(pid));
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // One that may not be asked runs.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** What the file system says of the copy, not of the database. */
function copyFailure(error: unknown, file: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'SQLITE_FULL') {
    return new StoreError(
      'store_full',
      `there is no room for ${file}`,
      'Make room on its disk, or name another.',
      error,
    );
  }
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return new StoreError(
      'data_folder_unusable',
      `${file} cannot be written: there is no folder ${dirname(file)}`,
      'Make the folder first, or name another file.',
      error,
    );
  }
  if (/^(E[A-Z]+|SQLITE_(CANTOPEN|READONLY|PERM|IOERR|AUTH).*)$/.test(code)) {
    return new StoreError(
      'data_folder_unusable',
      `${file} cannot be written (${code})`,
      'Check the path, its permissions and its disk.',
      error,
    );
  }
  return error;
}
