import type { Database } from 'better-sqlite3';
import { createBufferPool } from '../columns/buffer-pool.ts';
import { concatColumns } from '../columns/concat-columns.ts';
import { BucketRollup } from '../rollups/bucket-rollup.ts';
import type { CellCatalog } from '../rollups/cell-catalog.ts';
import { bucketAt, bucketStart, RESOLUTIONS } from '../rollups/resolutions.ts';
import { rollUp } from '../rollups/roll-up.ts';
import { type Digest, isSameDigest } from '../rollups/row-digest.ts';
import { type ChunkSpan, fillStep, groupChunks, splitDays, takeFirst } from './chunk-groups.ts';
import { intact, type StoredBlob } from './intact.ts';
import { type BlockWrite, type BucketWrite, NO_WRITES, type StoreWrites } from './store-writes.ts';

/**
 * Cells of all hours that are open at once, about 2 KiB each. Late samples may belong to any of 168 hours, each with all
 * cells: hours that don't fit are left for another pass over the same chunks.
 */
const MAX_OPEN_CELLS = 100_000;

export interface PendingRollup {
  /** As many chunks as a step takes. */
  compute(step: number): StoreWrites | null;
  /** Ids of the chunks of the next step. */
  next(): number[];
}

/**
 * Computes the hours of pending chunks; null if there are none. Late samples are treated the same, but are moved to
 * chunks of their own days.
 */
export function createPendingRollup(
  database: Database,
  catalogNow: () => CellCatalog,
  maxOpenCells = MAX_OPEN_CELLS,
): PendingRollup {
  const pending = database.prepare<[], ChunkSpan>(
    `SELECT chunk.id, chunk.t0, chunk.t1, chunk.n, length(chunk.bytes) AS bytes
     FROM pending JOIN chunk ON chunk.id = pending.chunk ORDER BY chunk.id`,
  );
  const bytes = database.prepare<[number], StoredBlob>('SELECT bytes, crc FROM chunk WHERE id = ?');
  const stored = createHourReader(database);
  const pool = createBufferPool();

  function* blobsOf(group: readonly ChunkSpan[]): Iterable<Uint8Array> {
    for (const { id } of group) {
      const blob = bytes.get(id);
      if (blob !== undefined) yield intact(blob, 'a chunk of samples');
    }
  }

  function compute(step: number): StoreWrites | null {
    const chunks = takeFirst(pending.iterate());
    if (chunks.length === 0) return null;
    const catalog = catalogNow();
    const blocks: BlockWrite[] = [];
    const buckets: BucketWrite[] = [];
    let newest: ReadonlyMap<number, BucketRollup> = new Map();
    let left = new Set<number>();
    do {
      const pass = rollUpSome(
        chunks.filter((chunk) => left.size === 0 || reaches(chunk, left)),
        catalog,
        buckets,
      );
      for (const [bucket, hour] of pass.hours) {
        blocks.push(...hour.blocks().map((block) => ({ resolution: 'hour' as const, bucket, ...block })));
        buckets.push({ resolution: 'hour', bucket, ...hour.digest });
      }
      newest = newestOf([...newest, ...pass.hours]);
      left = pass.left;
    } while (left.size > 0);
    stored.keep(newest);
    const covered = chunks.map(({ id }) => id);
    const moreWaits = fillStep(chunks);
    const stale = coarser(buckets.map(({ bucket }) => bucket));
    const split = splitDays(chunks, (group) => concatColumns(blobsOf(group), pool));
    return { ...NO_WRITES, step, ...catalog.takeNew(), ...split, covered, moreWaits, blocks: blocks, buckets, stale };
  }

  /** The hours that fit, nearly always all, and those left for another pass. @param done hours of earlier passes */
  function rollUpSome(chunks: readonly ChunkSpan[], catalog: CellCatalog, done: readonly BucketWrite[]) {
    const hours = new Map<number, BucketRollup>();
    const left = new Set<number>();
    const isDone = new Set(done.map(({ bucket }) => bucket));
    const hourAt = (hour: number): BucketRollup | null => {
      const known = hours.get(hour);
      if (known !== undefined || isDone.has(hour) || left.has(hour)) return known ?? null;
      if (cellsIn(hours.values()) >= maxOpenCells) {
        left.add(hour);
        return null;
      }
      const opened = stored.read(hour);
      hours.set(hour, opened);
      return opened;
    };
    for (const group of groupChunks(chunks)) rollUp(concatColumns(blobsOf(group), pool), catalog, hourAt, pool);
    return { hours, left };
  }

  return { compute, next: () => takeFirst(pending.iterate()).map(({ id }) => id) };
}

/** Hours kept in memory between steps: arriving samples mostly belong to the current hour. */
const MAX_KEPT_HOURS = 3;
/** Cells of those: beyond this, reading an hour again costs less than the memory, which may never be used. */
const MAX_KEPT_CELLS = 50_000;

function newestOf(hours: readonly (readonly [number, BucketRollup])[]): ReadonlyMap<number, BucketRollup> {
  const newest = [...hours].sort(([a], [b]) => b - a).slice(0, MAX_KEPT_HOURS);
  while (cellsIn(newest.map(([, hour]) => hour)) > MAX_KEPT_CELLS) newest.pop();
  return new Map(newest);
}

function cellsIn(hours: Iterable<BucketRollup>): number {
  let cells = 0;
  for (const hour of hours) cells += hour.cells;
  return cells;
}

function reaches({ t0, t1 }: ChunkSpan, hours: Iterable<number>): boolean {
  for (const hour of hours) if (hour >= bucketAt('hour', t0) && hour <= bucketAt('hour', t1)) return true;
  return false;
}

interface HourReader {
  /** The stored rollup of an hour, to be extended. */
  read(hour: number): BucketRollup;
  /** Keeps these hours for the next step. */
  keep(hours: ReadonlyMap<number, BucketRollup>): void;
}

function createHourReader(database: Database): HourReader {
  const digest = database.prepare<[number, number], Digest>(
    'SELECT n, a, b FROM bucket WHERE level = ? AND bucket = ?',
  );
  const blocks = database.prepare<[number, number], { metric: number; bytes: Buffer }>(
    'SELECT measure AS metric, bytes FROM pack WHERE level = ? AND bucket = ?',
  );
  let kept: ReadonlyMap<number, BucketRollup> = new Map();
  return {
    read(hour) {
      const stored = digest.get(RESOLUTIONS.hour, hour) ?? { n: 0, a: 0, b: 0 };
      const known = kept.get(hour);
      // A kept hour that was not written, or was rewritten since, has another digest.
      if (known !== undefined && isSameDigest(known.digest, stored)) return known;
      const rollup = new BucketRollup();
      Object.assign(rollup.digest, stored);
      for (const block of blocks.iterate(RESOLUTIONS.hour, hour)) rollup.addBlock(block);
      return rollup;
    },
    keep(hours) {
      kept = hours;
    },
  };
}

/** The days and months of these hours. */
function coarser(hours: Iterable<number>): StoreWrites['stale'] {
  const days = new Set<number>();
  const months = new Set<number>();
  for (const hour of hours) {
    days.add(bucketAt('day', bucketStart('hour', hour)));
    months.add(bucketAt('month', bucketStart('hour', hour)));
  }
  return [
    ...[...days].map((bucket) => ({ resolution: 'day' as const, bucket })),
    ...[...months].map((bucket) => ({ resolution: 'month' as const, bucket })),
  ];
}
