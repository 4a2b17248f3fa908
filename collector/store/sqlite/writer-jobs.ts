import type { BodyOutcome } from '../../ingest/read-body.ts';
import { createAppend, type GroupWrite, type GroupWritten } from './append-group.ts';
import type { BodyGroup } from './body-rooms.ts';
import { followConfiguredHosts } from './follow-configured-hosts.ts';
import { type DatabasePlace, openDatabase } from './open-database.ts';
import { createWriter, type StoreWrites } from './store-writes.ts';
import { createTakeIn } from './take-in.ts';
import { createTryOut } from './try-out.ts';

/**
 * Everything that is written while samples arrive, over one connection: a commit waits for the disk, and whoever else
 * wrote would wait for it. Plain data in and out, like the reader's jobs.
 */
export interface WriterJobs {
  append(group: GroupWrite): GroupWritten;
  takeIn(group: BodyGroup): readonly BodyOutcome[];
  /** True if it was written, false if the store has changed since it was computed. */
  apply(writes: StoreWrites, now: number): boolean;
  /** Copies the rest of the log, which has to be little: nobody writes meanwhile. The next commit begins it anew. */
  finishCheckpoint(): null;
  /** Writes something, durably, and takes it back; throws where that cannot be done. */
  tryOut(): null;
  close(): void;
}

export function openWriterJobs(place: DatabasePlace): WriterJobs {
  const database = openDatabase(place);
  const append = createAppend(database);
  return {
    append,
    takeIn: createTakeIn(append, followConfiguredHosts(database)),
    apply: createWriter(database),
    finishCheckpoint() {
      database.pragma('wal_checkpoint(PASSIVE)');
      return null;
    },
    tryOut: createTryOut(database),
    close: () => database.close(),
  };
}
