import { closeSync, existsSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import { StoreError } from '../store-error.ts';

/** All that is in the database: for its owner alone, like the database itself. */
const OWNER_ONLY = 0o600;

/**
 * Copies the database of a running server in one snapshot: a copy that begins one with every hundred pages begins again
 * whenever somebody has written. Under another name until it is whole. Throws a StoreError.
 */
export async function writeBackup(database: string, file: string): Promise<void> {
  await intoNewFile(file, async (part) => {
    const source = new Sqlite(database, { readonly: true });
    try {
      source.exec('BEGIN');
      source.prepare('SELECT step FROM state').get();
      await source.backup(part);
    } finally {
      source.close();
    }
  });
}

async function intoNewFile(file: string, fill: (part: string) => Promise<void>): Promise<void> {
  if (existsSync(file)) {
    throw new StoreError('data_folder_unusable', `${file} exists already`, 'Name a file that does not exist yet.');
  }
  const part = partOf(file);
  try {
    // SQLite gives the files that it makes beside this one the same mode.
    makeEmpty(part);
  } catch (error) {
    throw copyFailure(error, file);
  }
  try {
    await fill(part);
    renameSync(part, file);
  } catch (error) {
    rmSync(part, { force: true });
    rmSync(`${part}-journal`, { force: true });
    throw copyFailure(error, file);
  }
}

export function partOf(file: string): string {
  return `${file}.${process.pid}.part`;
}

export function makeEmpty(file: string): void {
  rmSync(file, { force: true });
  closeSync(openSync(file, 'wx', OWNER_ONLY));
}

/** What the file system says of the copy, not of the database. */
export function copyFailure(error: unknown, file: string): unknown {
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
