import { closeSync, fdatasync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import type { StoreRunner } from './store-thread.ts';

const syncFile = promisify(fdatasync);

export interface LogCheckpoint {
  /** Restarts the log, unless a reader is in the way. */
  run(): Promise<void>;
  /** For idle times: frees the space of the log. False if another connection is in the way. */
  empty(): Promise<boolean>;
  /** To be called after the last connection of this process is closed, see below. Idempotent. */
  close(): void;
}

/**
 * Copies the log into the database file, so that the log stays small. A large log is no longer cached when it is
 * overwritten, and the kernel then reads each page from the disk before writing a part of it.
 *
 * A thread copies while the writer goes on, and therefore never reaches the end. The file is synced without blocking either
 * of them. The writer then copies only what it wrote meanwhile, and restarts the log.
 *
 * The file stays open, because closing it would drop the locks of every connection in this process:
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
