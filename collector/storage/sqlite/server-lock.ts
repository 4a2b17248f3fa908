import { join } from 'node:path';
import Database from 'better-sqlite3';
import { StoreError } from '../store-error.ts';

/**
 * Keeps a second server off the data folder. The lock is SQLite's own file lock on a file made for it: the kernel
 * drops it with the process, so nothing stale is left after `kill -9`, which a file with a process id would leave.
 * Returns what releases it. Throws a StoreError if another server holds it.
 */
export function lockForServer(folder: string): () => void {
  const lock = new Database(join(folder, 'server.lock'), { timeout: 0 });
  try {
    // Nothing is ever written to it, and a journal of its own would take room: a full disk must not keep the server from starting.
    lock.pragma('journal_mode = MEMORY');
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) {
      throw new StoreError(
        'data_folder_in_use',
        `another Lastbyte server is using the data folder ${folder}`,
        'Stop that server first, or give this one its own folder with --data.',
        error,
      );
    }
    throw error;
  }
  return () => lock.close();
}
