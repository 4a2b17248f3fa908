import type { Database } from 'better-sqlite3';
import { decodeChunk } from '../columns/decode-chunk.ts';
import { type EncodedChunk, encodeChunk } from '../columns/encode-chunk.ts';
import { mergeColumns, type RowSelection } from '../columns/merge-columns.ts';
import { bucketAt, bucketStart, HOUR_MS } from '../rollups/resolutions.ts';
import { type ChunkSpan, splitDays, takeFirst } from './chunk-groups.ts';
import { intact, type StoredBlob } from './intact.ts';
import { NO_WRITES, type StoreWrites } from './store-writes.ts';

/** A merged chunk ends at the first full hour with at least this many samples. */
const TARGET_SAMPLES = 25_000;
/** Chunks of at least this many samples or bytes are not merged. */
const LARGE_SAMPLES = 15_000;
const LARGE_BYTES = 4 * 2 ** 20;
/** Chunks merged in one step, each counted once per hour it touches, because it is decoded for each. */
const MERGED_BYTES = 32 * 2 ** 20;

/**
 * Merges small chunks of one day into a few large ones, sorted by time and deflated. Merges as many as fit into one step, so
 * call it until it returns null. Each step leaves fewer small chunks than before, at most one of them new. Chunks of several
 * days, which older versions wrote, are split first.
 */
export function createCompaction(database: Database): (step: number, day: number) => StoreWrites | null {
  const overlapping = database.prepare<[number, number], ChunkSpan>(
    `SELECT id, t0, t1, n, length(bytes) AS bytes FROM chunk WHERE t1 >= ? AND t0 < ? AND id NOT IN (SELECT chunk FROM pending) ORDER BY t0, id`,
  );
  const blobOf = database.prepare<[number], StoredBlob>('SELECT bytes, crc FROM chunk WHERE id = ?');

  const read = (group: readonly ChunkSpan[]) =>
    mergeColumns(
      group.flatMap(({ id }) => {
        const blob = blobOf.get(id);
        return blob === undefined ? [] : [{ columns: decodeChunk(intact(blob, 'a chunk of samples')), rows: null }];
      }),
    );

  return (step, day) => {
    const [from, to] = [bucketStart('day', day), bucketStart('day', day + 1)];
    const all = overlapping.all(from, to);
    const wide = takeFirst(all.filter(({ t0, t1 }) => t0 < from || t1 >= to));
    if (wide.length > 0) return { ...NO_WRITES, step, ...splitDays(wide, read) };
    const small = firstSmall(all);
    if (small.length < 2) return null;

    const addedChunks: EncodedChunk[] = [];
    const window: RowSelection[] = [];
    let samples = 0;
    const flush = () => {
      if (samples > 0) addedChunks.push(encodeChunk(mergeColumns(window), true));
      window.length = 0;
      samples = 0;
    };
    for (let hour = from; hour < to; hour += HOUR_MS) {
      for (const { id, t0, t1 } of small) {
        if (t1 < hour || t0 >= hour + HOUR_MS) continue;
        const part = rowsWithin(blobOf.get(id), hour, hour + HOUR_MS);
        if (part === null) continue;
        window.push(part);
        samples += part.rows?.length ?? 0;
      }
      if (samples >= TARGET_SAMPLES) flush();
    }
    flush();
    return { ...NO_WRITES, step, removedChunks: small.map(({ id }) => id), addedChunks };
  };
}

/** As many as fit into one step, but at least two, because fewer would make no progress. */
function firstSmall(chunks: readonly ChunkSpan[]): readonly ChunkSpan[] {
  const small = chunks.filter(({ n, bytes }) => n < LARGE_SAMPLES && bytes < LARGE_BYTES);
  const weighed = small.map((chunk) => {
    const hours = bucketAt('hour', chunk.t1) - bucketAt('hour', chunk.t0) + 1;
    return { ...chunk, bytes: chunk.bytes * hours };
  });
  return small.slice(0, Math.max(2, takeFirst(weighed, MERGED_BYTES).length));
}

function rowsWithin(blob: StoredBlob | undefined, from: number, to: number): RowSelection | null {
  if (blob === undefined) return null;
  const columns = decodeChunk(intact(blob, 'a chunk of samples'));
  const at = columns.at();
  const rows: number[] = [];
  for (let row = 0; row < columns.n; row++) {
    const time = at[row] as number;
    if (time >= from && time < to) rows.push(row);
  }
  return rows.length === 0 ? null : { columns, rows: Int32Array.from(rows) };
}
