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

/** A copy holds the same data, so only its owner may read it, like the database. */
const OWNER_ONLY = 0o600;

/**
 * Copies the database of a running server. Throws a StoreError.
 *
 * @param finish changes the copy before it gets its name
 */
export function writeBackup(database: string, file: string, finish?: (copy: Database) => void): void {
  if (existsSync(file)) {
    throw new StoreError('data_folder_unusable', `${file} already exists`, 'Name a file that does not exist yet.');
  }
  // Closing another connection to the file drops this process's locks, but only commands make backups.
  const source = new Sqlite(database, { readonly: true });
  try {
    copyDatabase(source, file, finish);
  } finally {
    source.close();
  }
}

/**
 * Copies one snapshot that includes the log, even while others write; under a temporary name until it is complete and synced.
 * Throws a StoreError.
 */
function copyDatabase(database: Database, file: string, finish?: (copy: Database) => void): void {
  const part = partOf(file, process.pid);
  try {
    rmSync(part, { force: true });
    // SQLite gives the files it creates next to this one the same mode.
    closeSync(openSync(part, 'wx', OWNER_ONLY));
  } catch (error) {
    throw copyFailure(error, file);
  }
  try {
    database.prepare('VACUUM INTO ?').run(part);
    if (finish !== undefined) change(part, finish);
    // `VACUUM INTO` does not sync.
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

function change(file: string, work: (database: Database) => void): void {
  const copy = new Sqlite(file);
  try {
    work(copy);
  } finally {
    copy.close();
  }
}

/** The temporary name of a copy, with the process that makes it. */
function partOf(file: string, pid: number): string {
  return `${file}.${pid}.part`;
}

/** Whether a file was left by a process that died while copying. */
function isLeftOver(name: string): boolean {
  const pid = Number(/\.(\d+)\.part(?:-journal)?$/.exec(name)?.[1] ?? Number.NaN);
  // In a container every start has the same id; this process is not copying while it checks.
  return pid === process.pid || (Number.isInteger(pid) && !isRunning(pid));
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM means that it is running.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Translates errors of the file system that concern the copy, not the database. */
function copyFailure(error: unknown, file: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'SQLITE_FULL') {
    return new StoreError(
      'store_full',
      `there is no space for ${file}`,
      'Free space on its disk, or name another file.',
      error,
    );
  }
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return new StoreError(
      'data_folder_unusable',
      `${file} cannot be written: there is no folder ${dirname(file)}`,
      'Create the folder first, or name another file.',
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
/** How long a copy is kept, ms: a need to roll back shows within this time, and expired data must not live on in it. */
const KEEP_COPY_MS = 14 * 24 * 3_600_000;

/** The copy that is made before a database is migrated to `version`. */
function migrationCopyOf(database: string, version: number): string {
  return join(dirname(database), `lastbyte-before-version-${version}.sqlite`);
}

/**
 * Copies a database before it is migrated, in one snapshot that includes the log, and then deletes the copy of an earlier
 * migration. An empty file of that name means that the operator has another copy. Throws a StoreError if there is not enough
 * space; then nothing has been changed.
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
  // First, since the remains of an interrupted copy may occupy the space that this one needs.
  removeLeftOvers(database.name);
  if (existsSync(file) && statSync(file).size === 0) return;
  const bytes =
    (database.pragma('page_count', { simple: true }) as number) *
    (database.pragma('page_size', { simple: true }) as number);
  refuseWithoutRoom(file, bytes, freeBytes(dirname(file)));
  notice(`copying the database (${megabytes(bytes)}) to ${file} before migrating it to version ${version}`);
  copyDatabase(database, file);
  for (const other of copiesBeside(database.name)) if (other !== file) rmSync(other, { force: true });
}

/** @param now epoch ms; null removes every copy, for erasure */
export function removeMigrationCopies(database: string, now: number | null): void {
  removeLeftOvers(database);
  for (const { file, at } of migrationCopies(database)) {
    if (now === null || now - at > KEEP_COPY_MS) rmSync(file, { force: true });
  }
}

/** Copies that are not empty, and when each was made, epoch ms. */
export function migrationCopies(database: string): readonly { readonly file: string; readonly at: number }[] {
  return copiesBeside(database).flatMap((file) => {
    const copy = statSync(file, { throwIfNoEntry: false });
    return copy === undefined || copy.size === 0 ? [] : [{ file, at: copy.mtimeMs }];
  });
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
    `there is not enough space to copy the database before migrating it: ${megabytes(bytes)} needed, ${megabytes(room)} free`,
    `Free space; or copy it elsewhere yourself, then create an empty file ${basename(file)} beside it.`,
  );
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1e6)} MB`;
}
