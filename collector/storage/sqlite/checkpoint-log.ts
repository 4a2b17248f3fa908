import { closeSync, fdatasync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import type { StoreRunner } from './store-thread.ts';

const syncFile = promisify(fdatasync);

export interface LogCheckpoint {
  /** Ends with a log that begins anew, unless a reader is in the way. */
  run(): Promise<void>;
  /** For times in which nothing comes: gives the log's room back. False where somebody is in the way. */
  empty(): Promise<boolean>;
  /** To be called behind the last connection of this process, see below; more than once is as good. */
  close(): void;
}

/**
 * Copies the log into the database file, so that the log stays small. A large one is no longer in memory when it is its
 * turn to be written over, and the kernel reads each page from the disk before a part of it is written.
 *
 * A thread copies while the writer goes on, and so never gets to the end. The disk is waited for beside both of them. The
 * writer copies only what it wrote meanwhile, and then begins the log anew.
 *
 * The file is kept open, as to close it would take away the locks of every connection here:
 * https://www.sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_
 */
export function openLogCheckpoint(
  file: string,
  { log, writer }: { readonly log: StoreRunner<'reader'>; readonly writer: StoreRunner<'writer'> },
): LogCheckpoint {
  const database = openSync(file, 'r+');
  let closed = false;
  return {
    async run() {
      const whole = await log.run('checkpoint', []);
      if (!whole) return;
      await syncFile(database);
      await writer.run('finishCheckpoint', []);
    },
    empty: () => log.run('emptyLog', []),
    close() {
      if (!closed) closeSync(database);
      closed = true;
    },
  };
}
