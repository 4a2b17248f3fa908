import type { Database } from 'better-sqlite3';
import type { EncodedChunk } from '../columns/encode-chunk.ts';
import type { NewCell, NewString, NumberedClient } from '../rollups/cell-catalog.ts';
import { CELL_DIMENSIONS } from '../rollups/cell-dimensions.ts';
import { RESOLUTIONS, type Resolution } from '../rollups/resolutions.ts';
import type { Digest } from '../rollups/row-digest.ts';
import { checksum } from './intact.ts';
import { expectSamplesHere } from './where-samples-are.ts';

/** A block that replaces the stored one. */
export interface BlockWrite {
  readonly resolution: Resolution;
  readonly metric: number;
  readonly bucket: number;
  readonly bytes: Uint8Array;
}

export interface BucketWrite extends Readonly<Digest> {
  readonly resolution: 'hour' | 'day' | 'month';
  readonly bucket: number;
}

/** The result of a maintenance job, to be written in one transaction. Plain data: it comes from another thread. */
export interface StoreWrites {
  /** The state it was computed from; nothing is written if any process has rewritten something since. */
  readonly step: number;
  readonly strings: readonly NewString[];
  readonly cells: readonly NewCell[];
  readonly clients: readonly NumberedClient[];
  /** Numbers of browsers without samples, which are never assigned again. */
  readonly forgottenClients: readonly number[];
  /** Chunks that the blocks now cover. */
  readonly covered: readonly number[];
  /** Whether the step was full. */
  readonly moreWaits: boolean;
  /** Buckets whose stored blocks are deleted before `blocks` are written. */
  readonly emptied: readonly { readonly resolution: Resolution; readonly bucket: number }[];
  readonly blocks: readonly BlockWrite[];
  readonly buckets: readonly BucketWrite[];
  /** Days and months whose rollups are outdated. */
  readonly stale: readonly { readonly resolution: 'day' | 'month'; readonly bucket: number }[];
  readonly removedChunks: readonly number[];
  /** Samples of removed chunks that no added chunk contains. */
  readonly removedSamples: number;
  readonly addedChunks: readonly EncodedChunk[];
  /** Chunks that no rollup covers yet, like the ones they replace. */
  readonly addedPending: readonly EncodedChunk[];
  /** Whether caches of samples become invalid. */
  readonly raisesRevision: boolean;
}

export const NO_WRITES: Omit<StoreWrites, 'step'> = {
  strings: [],
  cells: [],
  clients: [],
  forgottenClients: [],
  covered: [],
  moreWaits: false,
  emptied: [],
  blocks: [],
  buckets: [],
  stale: [],
  removedChunks: [],
  removedSamples: 0,
  addedChunks: [],
  addedPending: [],
  raisesRevision: false,
};

/**
 * @param isForwarded whether samples are kept elsewhere
 * @returns a function that applies the writes, or returns false if the store has changed meanwhile
 */
export function createWriter(database: Database, isForwarded: boolean): (writes: StoreWrites, now: number) => boolean {
  const step = database.prepare<[], number>('SELECT step FROM state').pluck();
  const word = database.prepare('INSERT INTO word (id, kind, text) VALUES (@id, @kind, @text) ON CONFLICT DO NOTHING');
  const wordAt = database.prepare<[string, string], number>('SELECT id FROM word WHERE kind = ? AND text = ?').pluck();
  const cell = database.prepare(
    `INSERT INTO cell VALUES (?${', ?'.repeat(CELL_DIMENSIONS.length)}) ON CONFLICT DO NOTHING`,
  );
  const client = database.prepare(
    `INSERT INTO client (id, client, last_day) VALUES (@id, @client, @lastDay)
     ON CONFLICT (id) DO UPDATE SET last_day = max(last_day, excluded.last_day) WHERE client = excluded.client
     ON CONFLICT (client) DO NOTHING`,
  );
  const forget = database.prepare('DELETE FROM client WHERE id = ?');
  const uncover = database.prepare('DELETE FROM pending WHERE chunk = ?');
  const empty = database.prepare('DELETE FROM pack WHERE level = ? AND bucket = ?');
  const block = database.prepare(
    `INSERT INTO pack (level, measure, bucket, bytes, crc) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET bytes = excluded.bytes, crc = excluded.crc`,
  );
  const bucket = database.prepare('INSERT OR REPLACE INTO bucket (level, bucket, n, a, b) VALUES (?, ?, ?, ?, ?)');
  const stale = database.prepare(
    `INSERT INTO bucket (level, bucket, n, a, b, stale_since) VALUES (?, ?, 0, 0, 0, ?)
     ON CONFLICT DO UPDATE SET stale_since = coalesce(stale_since, excluded.stale_since)`,
  );
  const remove = database.prepare('DELETE FROM chunk WHERE id = ?');
  const add = database.prepare('INSERT INTO chunk (t0, t1, n, bytes, crc) VALUES (@t0, @t1, @n, @bytes, @crc)');
  const insertPending = database.prepare('INSERT INTO pending VALUES (?)');
  const raise = database.prepare('UPDATE state SET step = step + 1, revision = revision + ?');

  const write = database.transaction((writes: StoreWrites, now: number): boolean => {
    if (!isForwarded) expectSamplesHere(database);
    if (step.get() !== writes.step) return false;
    // The blocks below use these numbers. If one has come to mean something else, nothing may be written.
    for (const entry of writes.strings) {
      if (word.run(entry).changes === 0 && wordAt.get(entry.kind, entry.text) !== entry.id) throw new OtherNumbers();
    }
    for (const { id, stringIds } of writes.cells)
      if (cell.run(id, ...stringIds).changes === 0) throw new OtherNumbers();
    for (const numbered of writes.clients) if (client.run(numbered).changes === 0) throw new OtherNumbers();
    for (const id of writes.forgottenClients) forget.run(id);
    for (const chunk of writes.covered) uncover.run(chunk);
    for (const { resolution, bucket: number } of writes.emptied) empty.run(RESOLUTIONS[resolution], number);
    for (const { resolution, metric, bucket: number, bytes } of writes.blocks)
      block.run(RESOLUTIONS[resolution], metric, number, bytes, checksum(bytes));
    for (const { resolution, bucket: number, n, a, b } of writes.buckets)
      bucket.run(RESOLUTIONS[resolution], number, n, a, b);
    for (const { resolution, bucket: number } of writes.stale) stale.run(RESOLUTIONS[resolution], number, now);
    for (const chunk of writes.removedChunks) {
      remove.run(chunk);
      uncover.run(chunk);
    }
    const addChunk = (chunk: EncodedChunk) => add.run({ ...chunk, crc: checksum(chunk.bytes) }).lastInsertRowid;
    for (const chunk of writes.addedChunks) addChunk(chunk);
    for (const chunk of writes.addedPending) insertPending.run(addChunk(chunk));
    raise.run(writes.raisesRevision ? 1 : 0);
    return true;
  });
  return (writes, now) => {
    try {
      return write.immediate(writes, now);
    } catch (error) {
      if (error instanceof OtherNumbers) return false;
      throw error;
    }
  };
}

/** A string, cell or browser has been given another number: thrown to roll the transaction back. */
class OtherNumbers extends Error {}
