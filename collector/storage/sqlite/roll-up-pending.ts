import type { Database } from 'better-sqlite3';
import { createBufferPool } from '../columns/buffer-pool.ts';
import { concatColumns } from '../columns/concat-columns.ts';
import { BucketRollup } from '../rollups/bucket-rollup.ts';
import type { CellCatalog } from '../rollups/cell-catalog.ts';
import { bucketOf, bucketStart, RESOLUTIONS } from '../rollups/resolutions.ts';
import { rollUp } from '../rollups/roll-up.ts';
import type { Digest } from '../rollups/row-digest.ts';
import { type ChunkSpan, fillStep, firstOf, groupsOf, splitDays } from './chunk-groups.ts';
import { intact, type StoredBlob } from './intact.ts';
import { type BlockWrite, type BucketWrite, NO_WRITES, type StoreWrites } from './store-writes.ts';

/**
 * Of all hours that are open at once, some 2 KiB each. Late samples may belong to any of 168 hours, each with all the cells
 * there are: those that don't fit are left for another pass over the same chunks.
 */
const MAX_OPEN_CELLS = 100_000;

export interface PendingRollup {
  /** @param among takes only these of them; null takes as many as a step does */
  compute(step: number, among: readonly number[] | null): StoreWrites | null;
  /** Ids of the chunks that a step takes. */
  next(): number[];
}

/**
 * Computes the hours that chunks without a rollup belong to; null where there are none. Late samples are no exception, but
 * from then on they lie in chunks of their own days.
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
  const room = createBufferPool();

  function* blobsOf(group: readonly ChunkSpan[]): Iterable<Uint8Array> {
    for (const { id } of group) {
      const blob = bytes.get(id);
      if (blob !== undefined) yield intact(blob, 'a chunk of samples');
    }
  }

  function* pendingAmong(ids: readonly number[]): Iterable<ChunkSpan> {
    const wanted = new Set(ids);
    for (const chunk of pending.iterate()) if (wanted.has(chunk.id)) yield chunk;
  }

  function compute(step: number, among: readonly number[] | null): StoreWrites | null {
    const chunks = among === null ? firstOf(pending.iterate()) : [...pendingAmong(among)];
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
    const split = splitDays(chunks, (group) => concatColumns(blobsOf(group), room));
    return { ...NO_WRITES, step, ...catalog.takeNew(), ...split, covered, moreWaits, blocks: blocks, buckets, stale };
  }

  /** The hours that fit, which are nearly always all of them, and those left for another pass. @param done by earlier ones */
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
    for (const group of groupsOf(chunks)) rollUp(concatColumns(blobsOf(group), room), catalog, hourAt, room);
    return { hours, left };
  }

  return { compute, next: () => firstOf(pending.iterate()).map(({ id }) => id) };
}

/** Hours that are kept in memory from one step to the next: what arrives is mostly of this hour. */
const MAX_KEPT_HOURS = 3;
/** Of those: reading an hour again costs less than so much memory that nobody may ever use. */
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
  for (const hour of hours) if (hour >= bucketOf('hour', t0) && hour <= bucketOf('hour', t1)) return true;
  return false;
}

interface HourReader {
  /** What is stored of an hour, ready for more. */
  read(hour: number): BucketRollup;
  /** Remembers these, as they are after this step. */
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
      // What was kept and then not written, or was rewritten since, is another one.
      if (known !== undefined && sameDigest(known.digest, stored)) return known;
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

function sameDigest(one: Readonly<Digest>, other: Readonly<Digest>): boolean {
  return one.n === other.n && one.a === other.a && one.b === other.b;
}

/** The days and months that these hours are in. */
function coarser(hours: Iterable<number>): StoreWrites['stale'] {
  const days = new Set<number>();
  const months = new Set<number>();
  for (const hour of hours) {
    days.add(bucketOf('day', bucketStart('hour', hour)));
    months.add(bucketOf('month', bucketStart('hour', hour)));
  }
  return [
    ...[...days].map((bucket) => ({ resolution: 'day' as const, bucket })),
    ...[...months].map((bucket) => ({ resolution: 'month' as const, bucket })),
  ];
}
