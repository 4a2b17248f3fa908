import type { Database } from 'better-sqlite3';
import type { SampleColumns } from '../../../shared/sample/sample-columns.ts';
import type { Settings } from '../../../shared/settings/settings-schema.ts';
import { OVERFLOW_NAME } from '../../../shared/vocabulary/wire-limits.ts';
import { decodeChunk } from '../columns/decode-chunk.ts';
import { type EncodedChunk, encodeChunk } from '../columns/encode-chunk.ts';
import { encodeHotChunk, type OriginColumns } from '../columns/hot-chunk.ts';
import { mergeColumns } from '../columns/merge-columns.ts';
import type { AcceptedBatch } from '../ingestion.ts';
import { createBrowserRecorder } from './browser-recorder.ts';
import { checksum } from './intact.ts';

/** Encodes a group for writing: the rows of all batches become one chunk. */
export function toGroupWrite(batches: readonly AcceptedBatch[], latestNow: number | null = null): GroupWrite {
  const parts: OriginColumns[] = [];
  const batchOf: number[] = [];
  batches.forEach((batch, index) => {
    for (const part of partsOf(batch)) if (part.columns.n > 0) batchOf[parts.push(part) - 1] = index;
  });
  const partBytes = new Float64Array(parts.length);
  const chunk = parts.length === 0 ? null : encodeHotChunk(parts, partBytes);
  const textBytes = batches.map(() => 0);
  for (const [part, index] of batchOf.entries()) textBytes[index] = (textBytes[index] ?? 0) + (partBytes[part] ?? 0);
  return { batches: batches.map(withoutColumns), latestNow, chunk, textBytes };
}

/** Each batch is charged for the strings it introduced, so that others in the chunk are not; the rest is shared by rows. */
export function countStoredBytes({ batches, chunk, textBytes }: GroupWrite): number[] {
  if (chunk === null) return batches.map(() => 0);
  const shared = chunk.bytes.length - textBytes.reduce((sum, bytes) => sum + bytes, 0);
  return batches.map(({ n }, index) => Math.ceil((textBytes[index] ?? 0) + (shared * n) / chunk.n));
}

/** Folded rows follow the other rows of their batch. */
function partsOf(batch: AcceptedBatch): OriginColumns[] {
  const { key = null, columns, folded, sharesClient } = batch;
  const origin = sharesClient ? { ...batch.origin, client: OVERFLOW_NAME } : batch.origin;
  const own = { key, origin, columns };
  return folded ? [own, { key, origin: { ...origin, site: OVERFLOW_NAME }, columns: folded }] : [own];
}

/** Field by field: objects made by `...rest` have hidden classes of their own, which live until a full collection. */
function withoutColumns(batch: AcceptedBatch): BatchWrite {
  const { id, receivedAt, key = null, clockCorrection, origin, status = null, imported = false } = batch;
  const { sharesClient = false, ignored = {} } = batch;
  const n = batch.columns.n + (batch.folded?.n ?? 0);
  return { id, receivedAt, key, clockCorrection, origin, status, imported, sharesClient, ignored, n };
}

/** Maintenance removes ids of old batches, but a recording may be imported again after years. */
const NEVER_FORGOTTEN = Number.MAX_SAFE_INTEGER;

/** A batch without its rows, of which the chunk has `n`. */
export interface BatchWrite extends Omit<AcceptedBatch, 'columns' | 'folded'> {
  readonly n: number;
}

/** One group commit as plain data that can be sent to another thread. */
export interface GroupWrite {
  readonly batches: readonly BatchWrite[];
  /** The rows of all batches, in their order; null if there are none. */
  readonly chunk: EncodedChunk | null;
  /** Per batch, the bytes of the strings that no earlier batch of the chunk has. */
  readonly textBytes: readonly number[];
  /**
   * While the clock is in doubt, the later of wall clock and expected time, epoch ms; null while it is trusted. In doubt, no
   * browser counts as known for a day, and no batch as received earlier.
   */
  readonly latestNow: number | null;
}

export interface GroupWritten {
  /** Per batch, whether it was stored before. */
  readonly duplicates: readonly boolean[];
  /** Per batch, the bytes of its browser's row if that is new, otherwise 0. */
  readonly newBrowserBytes: readonly number[];
  /** Samples that were stored. */
  readonly samples: number;
}

/**
 * @param notesBatches which rows of a chunk are of which batch, for other collectors
 * @returns writes a group in one transaction
 */
export function createAppend(
  database: Database,
  settingsNow: () => Settings | null,
  notesBatches: boolean,
): (group: GroupWrite) => GroupWritten {
  const insertBatch = database.prepare(
    'INSERT OR IGNORE INTO batch (id, received_at, clock_correction) VALUES (?, ?, ?)',
  );
  const insertChunk = database.prepare('INSERT INTO chunk (t0, t1, n, bytes, crc) VALUES (@t0, @t1, @n, @bytes, @crc)');
  const insertPending = database.prepare('INSERT INTO pending VALUES (?)');
  const insertRows = database.prepare('INSERT INTO chunk_batch (chunk, first_row, n, batch) VALUES (?, ?, ?, ?)');
  const recordBrowser = createBrowserRecorder(database, settingsNow);

  const append = database.transaction(({ batches, chunk, latestNow }: GroupWrite): GroupWritten => {
    const newBrowserBytes: number[] = [];
    const duplicates = batches.map((batch) => {
      const { id, receivedAt, clockCorrection, imported } = batch;
      newBrowserBytes.push(imported === true ? 0 : recordBrowser(batch, latestNow));
      const remembered = imported === true ? NEVER_FORGOTTEN : Math.max(receivedAt, latestNow ?? receivedAt);
      return insertBatch.run(batchKey(id), remembered, clockCorrection).changes === 0;
    });
    const fresh = chunk === null ? null : withoutDuplicates(chunk, batches, duplicates);
    if (fresh === null) return { duplicates, newBrowserBytes, samples: 0 };
    const { lastInsertRowid } = insertChunk.run({ ...fresh, crc: checksum(fresh.bytes) });
    insertPending.run(lastInsertRowid);
    let first = 0;
    for (const [index, { id, n }] of notesBatches ? batches.entries() : []) {
      if (duplicates[index] || n === 0) continue;
      insertRows.run(lastInsertRowid, first, n, batchKey(id));
      first += n;
    }
    return { duplicates, newBrowserBytes, samples: fresh.n };
  });
  return (group) => append.immediate(group);
}

/** A UUID in half the size of its text. */
function batchKey(id: string): Buffer {
  return Buffer.from(id.replaceAll('-', ''), 'hex');
}

/**
 * The chunk is encoded before duplicates are known, since nearly all batches are new. If there are any, it is encoded again
 * without them; null if nothing is left.
 */
function withoutDuplicates(
  chunk: EncodedChunk,
  batches: readonly BatchWrite[],
  duplicates: readonly boolean[],
): EncodedChunk | null {
  if (!batches.some(({ n }, index) => duplicates[index] && n > 0)) return chunk;
  const rows: number[] = [];
  let start = 0;
  batches.forEach(({ n }, index) => {
    for (let row = start; row < start + n; row++) if (!duplicates[index]) rows.push(row);
    start += n;
  });
  if (rows.length === 0) return null;
  const columns: SampleColumns = decodeChunk(chunk.bytes);
  return encodeChunk(mergeColumns([{ columns, rows: Int32Array.from(rows) }]), false);
}
