import type { Database } from 'better-sqlite3';
import type { SampleColumns } from '../../../shared/sample/sample-columns.ts';
import type { TimeRange } from '../../../shared/vocabulary/dimensions.ts';
import { once } from '../../lib/once.ts';
import { calendarMonth } from '../../reductions/browser-count.ts';
import { type BufferPool, createBufferPool, FRESH_BUFFERS } from '../columns/buffer-pool.ts';
import { decodeChunk } from '../columns/decode-chunk.ts';
import { type KeptRows, keepRows, rowsInside, sliceColumns } from '../columns/select-rows.ts';
import type { RangePlan, Within } from '../passes/plan-range.ts';
import type { Checkpoint, PlannedRange, ReadFrom } from '../passes/question-jobs.ts';
import type { SourceRows } from '../passes/range-source.ts';
import { bucketStart, RESOLUTIONS, type Resolution } from '../rollups/resolutions.ts';
import { addDigest, addRow, type Digest, rowHashes } from '../rollups/row-digest.ts';
import { CLIENTS, COUNTS } from '../rollups/time-metrics.ts';
import { intact, type StoredBlob } from './intact.ts';
import { createStoredPlan } from './stored-plan.ts';

interface ChunkPlace {
  readonly id: number;
  readonly t0: number;
  readonly t1: number;
  readonly n: number;
}

/**
 * Reads ranges of a database within one transaction.
 * @param keptRows ranges of up to this many rows are decoded only once
 */
export function createRanges(database: Database, keptRows: number) {
  const blocks = database.prepare<[number, number, number, number], StoredBlob>(
    'SELECT bytes, crc FROM pack WHERE level = ? AND measure = ? AND bucket >= ? AND bucket < ?',
  );
  const clientBlocks = database.prepare<[number, number, number, number], StoredBlob & { bucket: number }>(
    'SELECT bytes, crc, bucket FROM pack WHERE level = ? AND measure = ? AND bucket >= ? AND bucket < ?',
  );
  const digests = database.prepare<[number, number, number], Digest>(
    'SELECT n, a, b FROM bucket WHERE level = ? AND bucket >= ? AND bucket < ?',
  );
  const chunks = database.prepare<[TimeRange], ChunkPlace & { pending: number }>(
    `SELECT id, t0, t1, n, pending.chunk IS NOT NULL AS pending FROM chunk LEFT JOIN pending ON pending.chunk = chunk.id
     WHERE t1 >= @from AND t0 < @to ORDER BY t0, id`,
  );
  // A range without edges reads only these few instead of searching the hundreds of chunks of a month.
  const pendingChunks = database.prepare<[TimeRange], ChunkPlace & { pending: number }>(
    `SELECT id, t0, t1, n, 1 AS pending FROM pending CROSS JOIN chunk ON chunk.id = pending.chunk
     WHERE t1 >= @from AND t0 < @to ORDER BY t0, id`,
  );
  const bytes = database.prepare<[number], StoredBlob>('SELECT bytes, crc FROM chunk WHERE id = ?');

  const revision = database.prepare<[], number>('SELECT revision FROM state').pluck();

  const planOf = createStoredPlan(database);
  const keptChunks = createKeptColumns<number, SampleColumns>(MAX_CHUNK_ROWS);
  const keptParts = createKeptColumns<string, KeptRows>(MAX_PART_ROWS);

  function readChunk(id: number, pool: BufferPool): SampleColumns | null {
    const blob = bytes.get(id);
    return blob === undefined ? null : decodeChunk(intact(blob, 'a chunk of samples'), pool);
  }

  return function open(asked: TimeRange, from: ReadFrom, checkpoint: Checkpoint, within: Within = null): PlannedRange {
    const exact = from === 'values';
    const parts = within ?? [asked];
    const { segments, edges } = planOf(parts, from);
    const runs = runsOf(segments);
    const spans = once(() =>
      (edges.length === 0 ? pendingChunks : chunks).all(asked).flatMap(({ pending, ...span }) => {
        const ranges = (pending === 1 ? parts : edges).filter(({ from, to }) => span.t1 >= from && span.t0 < to);
        return ranges.length === 0 ? [] : [{ ...span, ranges }];
      }),
    );
    const stored = once(() => spans().reduce((sum, { n }) => sum + n, 0));
    /** The edges of a range are read repeatedly; whole ranges would not fit into memory. */
    const few = () => stored() <= keptRows;
    const kept = once(() => [...readRows(true)]);
    const rows = (lasting = false) =>
      within !== null && partRows() <= MAX_PART_ROWS ? readParts() : few() ? kept() : readRows(lasting);
    /** About as many rows as are inside the parts. */
    const partRows = () =>
      spans().reduce((sum, { t0, t1, n, ranges }) => {
        const inside = ranges.reduce((ms, { from, to }) => ms + Math.min(to, t1 + 1) - Math.max(from, t0), 0);
        return sum + (n * inside) / (t1 + 1 - t0);
      }, 0);

    function* readRows(lasting: boolean): Generator<SourceRows> {
      // The same arrays for every chunk: allocating, clearing and freeing them takes a third of reading it.
      const pool = lasting ? FRESH_BUFFERS : createBufferPool();
      // More than fit would only evict each other.
      const keep = lasting && stored() <= MAX_CHUNK_ROWS;
      if (keep) keptChunks.seenAt(revision.get() ?? 0);
      for (const { id, ranges, t0, t1, n } of spans()) {
        checkpoint();
        const whole = keep ? keptChunks.take(id, () => readChunk(id, pool)) : readChunk(id, pool);
        if (whole === null) continue;
        // Nearly all chunks of a long range lie within it, so the times of their rows need not be checked.
        if (ranges.some(({ from, to }) => from <= t0 && t1 < to)) {
          yield { columns: whole, ranges: null, t0, stored: n, lasting };
          continue;
        }
        const columns = sliceColumns(whole, ranges);
        if (columns !== null) yield { columns, ranges, t0, stored: n, lasting };
      }
    }

    /** Drawn parts are the same ones at the next visit. */
    function* readParts(): Generator<SourceRows> {
      const pool = createBufferPool();
      keptParts.seenAt(revision.get() ?? 0);
      for (const { id, ranges, t0, n } of spans()) {
        checkpoint();
        const columns = keptParts.take(`${id} ${JSON.stringify(ranges)}`, () => {
          const whole = readChunk(id, pool);
          const again = () => readChunk(id, FRESH_BUFFERS) as SampleColumns;
          return whole === null ? null : keepRows(whole, rowsInside(whole, ranges), again);
        });
        if (columns === null) continue;
        try {
          yield { columns, ranges: null, t0, stored: n, lasting: true };
        } finally {
          columns.release();
        }
      }
    }

    return {
      rows,
      stored,
      *blocks({ metric }) {
        // Counts are exact at every resolution, and stored once.
        const byValue = exact && metric !== COUNTS && metric !== CLIENTS;
        for (const { resolution, first, end } of runs) {
          for (const blob of blocks.iterate(RESOLUTIONS[byValue ? 'exact' : resolution], metric, first, end)) {
            checkpoint();
            yield intact(blob, 'a rollup');
          }
        }
      },
      *clientBlocks() {
        for (const { resolution, first, end } of runs) {
          for (const { bucket, ...blob } of clientBlocks.iterate(RESOLUTIONS[resolution], CLIENTS, first, end)) {
            checkpoint();
            yield { month: calendarMonth(bucketStart(resolution, bucket)), block: intact(blob, 'a rollup') };
          }
        }
      },
      digest: once(() => {
        const total: Digest = { n: 0, a: 0, b: 0 };
        for (const { resolution, first, end } of runs) {
          for (const digest of digests.iterate(RESOLUTIONS[resolution], first, end)) addDigest(total, digest);
        }
        for (const { columns, ranges } of rows()) {
          const hashes = rowHashes(columns);
          const at = columns.at();
          for (let row = 0; row < columns.n; row++) {
            const time = at[row] as number;
            if (ranges === null || ranges.some(({ from, to }) => time >= from && time < to)) addRow(total, hashes, row);
          }
        }
        return total;
      }),
    };
  };
}

interface Run {
  readonly resolution: Resolution;
  readonly first: number;
  readonly end: number;
}

/** Adjacent buckets of one resolution are read by one statement. */
function runsOf(segments: RangePlan['segments']): Run[] {
  const runs: { resolution: Resolution; first: number; end: number }[] = [];
  for (const { resolution, bucket } of segments) {
    const last = runs.at(-1);
    if (last?.resolution === resolution && last.end === bucket) last.end++;
    else runs.push({ resolution, first: bucket, end: bucket + 1 });
  }
  return runs;
}

/**
 * Rows of decoded chunks that a connection keeps, about 250 bytes each with every column that questions read: both edges of a
 * range in a store of ten million samples per month.
 */
const MAX_CHUNK_ROWS = 60_000;
/** Rows of drawn parts: all that are read for findings. */
const MAX_PART_ROWS = 250_000;

/** A cache of recently used columns. */
export interface KeptColumns<K, C> {
  /** From the cache or from `read`; null if there are none. */
  take(key: K, read: () => C | null): C | null;
  /** Clears the cache if the revision has changed. */
  seenAt(revision: number): void;
}

/**
 * A page of the dashboard asks a dozen questions about one range, each of which would decode the same chunks. Chunks
 * never change and ids are never reused, so only erased and pruned chunks must not stay.
 */
export function createKeptColumns<K, C extends Pick<SampleColumns, 'n'>>(maxRows: number): KeptColumns<K, C> {
  /** In order of last use. */
  const kept = new Map<K, C>();
  let rows = 0;
  let readAt = -1;

  function forget(key: K): void {
    rows -= kept.get(key)?.n ?? 0;
    kept.delete(key);
  }

  return {
    take(key, read) {
      const columns = kept.get(key) ?? read();
      if (columns === null || columns.n > maxRows) return columns;
      forget(key);
      kept.set(key, columns);
      rows += columns.n;
      for (const oldest of kept.keys()) {
        if (rows <= maxRows) break;
        forget(oldest);
      }
      return columns;
    },
    seenAt(revision) {
      if (revision !== readAt) {
        kept.clear();
        rows = 0;
      }
      readAt = revision;
    },
  };
}
