import type { Database } from 'better-sqlite3';
import type { Retention } from '../../../shared/settings/retention-of.ts';
import type { BatchWriter, Ingested, Ingestion } from '../ingestion.ts';
import { createBrowserStanding } from './browser-standing.ts';
import { createAppend, type GroupWrite, type GroupWritten, groupOf, storedBytesOf } from './group-write.ts';
import { type DatabaseLocation, openDatabase } from './open-database.ts';
import { createForgetBatchIds, type ForgetBatchIds, prune } from './prune.ts';
import { createQuarantineWrites, type QuarantineWrites } from './quarantine.ts';
import { createSessionWrites, type SessionWrites } from './sqlite-sessions.ts';
import { followSettings } from './sqlite-settings.ts';
import { createWriter, type StoreWrites } from './store-writes.ts';

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

export function openWriterJobs(location: DatabaseLocation): WriterJobs {
  const database = openDatabase(location);
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

/** As much as a small batch takes. */
const TRIED_BYTES = 32_768;
const NAME = 'try out';

/**
 * Whether writing works is only known by doing it: a disk may be full or have become read-only, and everything but a
 * commit still succeeds. What is written is removed by a commit of its own: pages that are freed by the one that wrote them
 * never reach the log, and a full disk would look like one with room.
 */
export function createWriteProbe(database: Database): (bytes: number) => null {
  const insert = database.prepare('INSERT OR REPLACE INTO kept (name, value) VALUES (?, hex(zeroblob(?)))');
  const remove = database.prepare('DELETE FROM kept WHERE name = ?');
  return (bytes) => {
    insert.run(NAME, Math.max(TRIED_BYTES, bytes) / 2);
    remove.run(NAME);
    return null;
  };
}
