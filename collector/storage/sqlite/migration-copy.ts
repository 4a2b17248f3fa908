import { existsSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { StoreError } from '../store-error.ts';
import { copyDatabase, isLeftOver } from './copy-database.ts';

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
