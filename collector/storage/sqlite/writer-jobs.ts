import type { Database } from 'better-sqlite3';
import type { Retention } from '../../../shared/settings/read-retention.ts';
import type { BatchWriter, Ingested, Ingestion } from '../ingestion.ts';
import { COPIED_SETTINGS } from './control-copy.ts';
import { removeRemnants } from './erase-client.ts';
import { followSettings, OWN_SETTINGS } from './follow-settings.ts';
import { countStoredBytes, createAppend, type GroupWrite, type GroupWritten, toGroupWrite } from './group-write.ts';
import { createKnownBrowsers } from './known-browsers.ts';
import { type DatabaseLocation, openDatabase } from './open-database.ts';
import { createOutboxWrites, type OutboxWrites } from './outbox.ts';
import { createForgetBatchIds, type ForgetBatchIds, prune } from './prune.ts';
import { createQuarantineWrites, type QuarantineWrites } from './quarantine.ts';
import { createSessionWrites, type SessionWrites } from './sqlite-control.ts';
import { createWriter, type StoreWrites } from './store-writes.ts';

/** Freed per call, so that no batch waits long. In bytes, since page sizes differ between databases. */
const VACUUM_BYTES = 2 ** 23;

/**
 * Everything that is written while samples arrive, over one connection: a commit waits for the disk, and other connections
 * would have to wait for it. Plain data in and out, like the reader's jobs.
 */
export interface WriterJobs extends QuarantineWrites, SessionWrites, OutboxWrites {
  append(group: GroupWrite): GroupWritten;
  ingest(ingestion: Ingestion<unknown, unknown>, bodies: unknown, shift: number | null): Ingested<unknown>;
  /** False if the store has changed since the writes were computed. */
  apply(writes: StoreWrites, now: number): boolean;
  /** Removes expired data. `now` is epoch ms, of a trusted clock. */
  prune(now: number, retention: Retention): null;
  forgetBatchIds: ForgetBatchIds;
  /** Returns some free pages to the file system. */
  vacuum(): null;
  /** Leaves no byte of anything deleted in the database and its log. Throws a StoreError. Other writers wait meanwhile. */
  removeRemnants(): null;
  /** Copies the rest of the log, which must be little, since this blocks the writer. The next commit restarts the log. */
  finishCheckpoint(): null;
  /** Durably writes something and removes it, or throws. As much as the last group if that could not be stored. */
  probeWrite(): null;
  close(): void;
}

export function openWriterJobs(location: DatabaseLocation): WriterJobs {
  const database = openDatabase(location);
  const settingsNow = followSettings(database, location.sharedControl ? COPIED_SETTINGS : OWN_SETTINGS);
  const isForwarded = location.clickHouse != null;
  const write = createAppend(database, settingsNow, isForwarded && location.sharedControl === true);
  const probe = createWriteProbe(database);
  /** Size of the last group, if it could not be stored. */
  let failedBytes = 0;
  const append = (group: GroupWrite) => {
    failedBytes = group.chunk?.bytes.length ?? 0;
    const written = write(group);
    failedBytes = 0;
    return written;
  };
  const batchWriter: BatchWriter = {
    settings: settingsNow,
    browsers: createKnownBrowsers(database),
    append(batches, latestNow) {
      const group = toGroupWrite(batches, latestNow);
      return { ...append(group), storedBytes: countStoredBytes(group) };
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
    apply: createWriter(database, isForwarded),
    ...createQuarantineWrites(database),
    ...createSessionWrites(database),
    ...createOutboxWrites(database),
    prune(now, retention) {
      prune(database, now, retention, isForwarded);
      return null;
    },
    forgetBatchIds: createForgetBatchIds(database),
    vacuum() {
      const pageBytes = database.pragma('page_size', { simple: true }) as number;
      database.pragma(`incremental_vacuum(${VACUUM_BYTES / pageBytes})`);
      return null;
    },
    removeRemnants() {
      removeRemnants(database);
      return null;
    },
    finishCheckpoint() {
      database.pragma('wal_checkpoint(PASSIVE)');
      return null;
    },
    probeWrite: () => probe(failedBytes),
    close: () => database.close(),
  };
}

/** The size of a small batch. */
const PROBE_BYTES = 32_768;
const NAME = 'try out';

/**
 * Only a commit shows whether writing works: on a full or read-only disk everything else still succeeds. The written data are
 * removed in a separate commit: pages freed by the commit that wrote them never reach the log, which would hide a full disk.
 */
function createWriteProbe(database: Database): (bytes: number) => null {
  const insert = database.prepare('INSERT OR REPLACE INTO kept (name, value) VALUES (?, hex(zeroblob(?)))');
  const remove = database.prepare('DELETE FROM kept WHERE name = ?');
  return (bytes) => {
    insert.run(NAME, Math.max(PROBE_BYTES, bytes) / 2);
    remove.run(NAME);
    return null;
  };
}
