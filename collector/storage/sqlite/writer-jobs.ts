import type { Retention } from '../../../shared/settings/retention-of.ts';
import type { BatchWriter, Ingested, Ingestion } from '../ingestion.ts';
import { createAppend, type GroupWrite, type GroupWritten } from './append-group.ts';
import { createBrowserStanding } from './browser-standing.ts';
import { followSettings } from './follow-settings.ts';
import { createForgetBatchIds, type ForgetBatchIds } from './forget-batch-ids.ts';
import { groupOf, storedBytesOf } from './group-write.ts';
import { type DatabaseLocation, openDatabase } from './open-database.ts';
import { prune } from './prune.ts';
import { createQuarantineWrites, type QuarantineWrites } from './quarantine.ts';
import { createSessionWrites, type SessionWrites } from './session-writes.ts';
import { createWriter, type StoreWrites } from './store-writes.ts';
import { createWriteProbe } from './try-out.ts';

/** Given back to the file system at a time, so that no batch waits long; databases differ in what a page is. */
const VACUUM_BYTES = 2 ** 23;

/**
 * Everything that is written while samples arrive, over one connection: a commit waits for the disk, and whoever else
 * wrote would wait for it. Plain data in and out, like the reader's jobs.
 */
export interface WriterJobs extends QuarantineWrites, SessionWrites {
  append(group: GroupWrite): GroupWritten;
  ingest(ingestion: Ingestion<unknown, unknown>, bodies: unknown, shift: number | null): Ingested<unknown>;
  /** True if it was written, false if the store has changed since it was computed. */
  apply(writes: StoreWrites, now: number): boolean;
  /** Removes what is older than it is kept. `now` is epoch ms, of a clock that is believed. */
  prune(now: number, retention: Retention): null;
  forgetBatchIds: ForgetBatchIds;
  /** Gives some of the room of what was removed back to the file system. */
  giveRoomBack(): null;
  /** Copies the rest of the log, which has to be little: nobody writes meanwhile. The next commit begins it anew. */
  finishCheckpoint(): null;
  /**
   * Writes something, durably, and removes it; throws where that cannot be done. If the last group could not be stored, it
   * is as much as that would have been.
   */
  probeWrite(): null;
  close(): void;
}

export function openWriterJobs(place: DatabaseLocation): WriterJobs {
  const database = openDatabase(place);
  const settingsNow = followSettings(database);
  const write = createAppend(database, settingsNow);
  const tryOut = createWriteProbe(database);
  /** Of the last group, if it could not be stored. */
  let failedBytes = 0;
  const append = (group: GroupWrite) => {
    failedBytes = group.chunk?.bytes.length ?? 0;
    const written = write(group);
    failedBytes = 0;
    return written;
  };
  const batchWriter: BatchWriter = {
    settings: settingsNow,
    standing: createBrowserStanding(database),
    append(batches, latestNow) {
      const group = groupOf(batches, latestNow);
      return { ...append(group), storedBytes: storedBytesOf(group) };
    },
  };
  const ingestions = new Map<string, ReturnType<Ingestion<unknown, unknown>['create']>>();
  return {
    append,
    ingest(ingestion, bodies, shift) {
      const run = ingestions.get(ingestion.name) ?? ingestion.create(batchWriter);
      ingestions.set(ingestion.name, run);
      return run(bodies, shift);
    },
    apply: createWriter(database),
    ...createQuarantineWrites(database),
    ...createSessionWrites(database),
    prune(now, retention) {
      prune(database, now, retention);
      return null;
    },
    forgetBatchIds: createForgetBatchIds(database),
    giveRoomBack() {
      const pageBytes = database.pragma('page_size', { simple: true }) as number;
      database.pragma(`incremental_vacuum(${VACUUM_BYTES / pageBytes})`);
      return null;
    },
    finishCheckpoint() {
      database.pragma('wal_checkpoint(PASSIVE)');
      return null;
    },
    probeWrite: () => tryOut(failedBytes),
    close: () => database.close(),
  };
}
