import { existsSync, readdirSync, renameSync, rmSync, statfsSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { StoreError } from '../store-error.ts';
import { copyFailure, makeEmpty, partOf } from './write-backup.ts';

const NAME = /^lastbyte-before-version-\d+\.sqlite$/;
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
 *
 * `VACUUM INTO` needs neither the log to be empty nor the file to be opened a second time in this process, which would
 * drop this process's locks on it once it is closed.
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
  if (existsSync(file) && statSync(file).size === 0) return;
  const bytes =
    (database.pragma('page_count', { simple: true }) as number) *
    (database.pragma('page_size', { simple: true }) as number);
  refuseWithoutRoom(file, bytes, freeBytes(dirname(file)));
  notice(`copying the database (${megabytes(bytes)}) to ${file} before it is brought to version ${version}`);
  const part = partOf(file);
  try {
    makeEmpty(part);
  } catch (error) {
    throw copyFailure(error, file);
  }
  try {
    database.prepare('VACUUM INTO ?').run(part);
    renameSync(part, file);
  } catch (error) {
    rmSync(part, { force: true });
    throw copyFailure(error, file);
  }
  for (const other of copiesBeside(database.name)) if (other !== file) rmSync(other, { force: true });
}

/** @param now epoch ms; null removes every copy, as erasing does */
export function removeMigrationCopies(database: string, now: number | null): void {
  for (const file of copiesBeside(database)) {
    const copy = statSync(file, { throwIfNoEntry: false });
    if (copy === undefined || copy.size === 0) continue;
    if (now === null || now - copy.mtimeMs > KEEP_COPY_MS) rmSync(file, { force: true });
  }
}

function copiesBeside(database: string): string[] {
  const folder = dirname(database);
  return readdirSync(folder)
    .filter((name) => NAME.test(name))
    .map((name) => join(folder, name));
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
