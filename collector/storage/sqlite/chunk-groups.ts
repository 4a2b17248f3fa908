import type { SampleColumns } from '../../../shared/sample/sample-columns.ts';
import { type EncodedChunk, encodeChunk } from '../columns/encode-chunk.ts';
import { mergeColumns } from '../columns/merge-columns.ts';
import { bucketAt } from '../rollups/resolutions.ts';
import type { StoreWrites } from './store-writes.ts';

/**
 * Limits of one step, so that it stays short and its memory bounded. Samples take 64 to 100 bytes; those with invented
 * names may take far more, and each text takes its size again once it is read.
 */
const STEP = { samples: 1_000_000, bytes: 128 * 2 ** 20 };
/** Small chunks are decoded together: each set of columns has to look up all of its cells. */
const TOGETHER = { samples: 150_000, bytes: 24 * 2 ** 20 };

/** A stored chunk without its bytes. */
export interface ChunkSpan {
  readonly id: number;
  readonly t0: number;
  readonly t1: number;
  readonly n: number;
  /** As stored. */
  readonly bytes: number;
}

/** Whether these are as many as a step takes, so that more may wait. */
export function fillStep(chunks: Iterable<ChunkSpan>): boolean {
  let [samples, bytes] = [0, 0];
  for (const chunk of chunks) {
    samples += chunk.n;
    bytes += chunk.bytes;
  }
  return samples >= STEP.samples || bytes >= STEP.bytes;
}

/** As many as a step takes. */
export function takeFirst(chunks: Iterable<ChunkSpan>, maxBytes = STEP.bytes): ChunkSpan[] {
  const [first = []] = split(chunks, { ...STEP, bytes: maxBytes });
  return first;
}

/** Groups of chunks that are decoded together. */
export function groupChunks(chunks: readonly ChunkSpan[]): ChunkSpan[][] {
  return [...split(chunks, TOGETHER)];
}

/** Lazily, since there may be far more than the first group. A group ends with the chunk that fills it. */
function* split(chunks: Iterable<ChunkSpan>, limit: typeof STEP): Generator<ChunkSpan[]> {
  let group: ChunkSpan[] = [];
  let [samples, bytes] = [0, 0];
  for (const chunk of chunks) {
    group.push(chunk);
    samples += chunk.n;
    bytes += chunk.bytes;
    if (samples < limit.samples && bytes < limit.bytes) continue;
    yield group;
    group = [];
    [samples, bytes] = [0, 0];
  }
  if (group.length > 0) yield group;
}

/**
 * Splits chunks of several days into chunks of one day each. A single late sample makes a chunk reach back over days, and
 * all work on any of these days would have to read it.
 *
 * @param read decodes a group as one; it may reuse the same memory for each group
 */
export function splitDays(
  chunks: readonly ChunkSpan[],
  read: (group: readonly ChunkSpan[]) => SampleColumns,
): Pick<StoreWrites, 'removedChunks' | 'addedChunks'> {
  const wide = chunks.filter(({ t0, t1 }) => bucketAt('day', t0) !== bucketAt('day', t1));
  return {
    removedChunks: wide.map(({ id }) => id),
    addedChunks: groupChunks(wide).flatMap((group) => encodeByDay(read(group))),
  };
}

/** One chunk per day (UTC), oldest first. */
function encodeByDay(columns: SampleColumns): EncodedChunk[] {
  const at = columns.at();
  const rowsOf = new Map<number, number[]>();
  for (let row = 0; row < columns.n; row++) {
    const day = bucketAt('day', at[row] as number);
    const rows = rowsOf.get(day);
    if (rows === undefined) rowsOf.set(day, [row]);
    else rows.push(row);
  }
  return [...rowsOf]
    .sort(([one], [other]) => one - other)
    .map(([, rows]) => encodeChunk(mergeColumns([{ columns, rows: Int32Array.from(rows) }]), false));
}
