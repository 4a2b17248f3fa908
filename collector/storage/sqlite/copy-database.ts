import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
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

const NAME = /^lastbyte-before-version-\d+\.sqlite$/;
const PART = /^lastbyte-before-version-\d+\.sqlite\.\d+\.part(-journal)?$/;
/** Whoever wants to go back has noticed by then; and what was to be kept no longer is not kept here, ms. */
const KEEP_COPY_MS = 14 * 24 * 3_600_000;

/** Where the copy lies that is made before a database is brought to `version`. */
function migrationCopyOf(database: string, version: number): string {
  return join(dirname(database), `lastbyte-before-version-${version}.sqlite`);
}

/**
 * Copies a database before it is migrated, in one snapshot that includes the log, and then does away with the copy of an
 * earlier migration. An empty file in its place says that an operator has a copy of his own. Throws a StoreError where
 * there is no room: then nothing has been changed.
 */
export function copyBeforeMigration(
  database: Database,
  version: number,
  {
    notice,
    freeBytes = freeBytesIn,
  }: { readonly notice: (text: string) => void; readonly freeBytes?: (folder: string) => number },
): void {
  const file = migrationCopyOf(database.name, version);
  // First: what a copy that was cut off left may be all the room that this one needs.
  removeLeftOvers(database.name);
  if (existsSync(file) && statSync(file).size === 0) return;
  const bytes =
    (database.pragma('page_count', { simple: true }) as number) *
    (database.pragma('page_size', { simple: true }) as number);
  refuseWithoutRoom(file, bytes, freeBytes(dirname(file)));
  notice(`copying the database (${megabytes(bytes)}) to ${file} before it is brought to version ${version}`);
  copyDatabase(database, file);
  for (const other of copiesBeside(database.name)) if (other !== file) rmSync(other, { force: true });
}

/** @param now epoch ms; null removes every copy, as erasing does */
export function removeMigrationCopies(database: string, now: number | null): void {
  removeLeftOvers(database);
  for (const file of copiesBeside(database)) {
    const copy = statSync(file, { throwIfNoEntry: false });
    if (copy === undefined || copy.size === 0) continue;
    if (now === null || now - copy.mtimeMs > KEEP_COPY_MS) rmSync(file, { force: true });
  }
}

function removeLeftOvers(database: string): void {
  for (const file of filesBeside(database, PART)) if (isLeftOver(file)) rmSync(file, { force: true });
}

function copiesBeside(database: string): string[] {
  return filesBeside(database, NAME);
}

function filesBeside(database: string, name: RegExp): string[] {
  const folder = dirname(database);
  return readdirSync(folder)
    .filter((file) => name.test(file))
    .map((file) => join(folder, file));
}

function freeBytesIn(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

function refuseWithoutRoom(file: string, bytes: number, room: number): void {
  if (room >= bytes) return;
  throw new StoreError(
    'store_full',
    `there is no room to copy the database before it is migrated: ${megabytes(bytes)} are needed, ${megabytes(room)} are free`,
    `Make room; or copy it elsewhere yourself, then make an empty file ${basename(file)} beside it.`,
  );
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1e6)} MB`;
}
