import type { Database } from 'better-sqlite3';
import { createColumnRoom } from '../chunk/column-room.ts';
import { concatColumns } from '../chunk/concat-columns.ts';
import { BucketRollup } from '../rollup/bucket-rollup.ts';
import type { CellCatalog } from '../rollup/cell-catalog.ts';
import { rollUp } from '../rollup/rollup-builder.ts';
import type { Digest } from '../rollup/row-digest.ts';
import { bucketOf, bucketStart, LEVELS } from '../rollup/time-buckets.ts';
import { intact, type StoredBlob } from './intact.ts';
import { NO_WRITES, type StoreWrites } from './store-writes.ts';

/** Samples one step takes in, so that memory stays bounded and a step short: so many, or all there are. */
export const STEP_SAMPLES = 1_000_000;
/** Small chunks are taken together: each set of columns has to look up every cell it has. */
const TOGETHER_SAMPLES = 150_000;

interface PendingChunk {
  readonly id: number;
  readonly n: number;
}

export interface PendingRollup {
  /** @param among takes only these of them; null takes as many as a step does */
  compute(step: number, among: readonly number[] | null): StoreWrites | null;
  /** Ids of the chunks that a step takes. */
  next(): number[];
}

/** Computes the hours that chunks without a rollup belong to; null where there are none. Late samples are no exception. */
export function createPendingRollup(database: Database, catalogNow: () => CellCatalog): PendingRollup {
  const pending = database.prepare<[], PendingChunk>(
    'SELECT chunk.id, chunk.n FROM pending JOIN chunk ON chunk.id = pending.chunk ORDER BY chunk.id',
  );
  const bytes = database.prepare<[number], StoredBlob>('SELECT bytes, crc FROM chunk WHERE id = ?');
  const stored = createHourReader(database);
  const room = createColumnRoom();

  function* blobsOf(group: readonly PendingChunk[]): Iterable<Uint8Array> {
    for (const { id } of group) {
      const blob = bytes.get(id);
      if (blob !== undefined) yield intact(blob, 'a chunk of samples');
    }
  }

  function* pendingAmong(ids: readonly number[]): Iterable<PendingChunk> {
    const wanted = new Set(ids);
    for (const chunk of pending.iterate()) if (wanted.has(chunk.id)) yield chunk;
  }

  function compute(step: number, among: readonly number[] | null): StoreWrites | null {
    const chunks = among === null ? firstOf(pending.iterate()) : [...pendingAmong(among)];
    if (chunks.length === 0) return null;
    const catalog = catalogNow();
    const hours = new Map<number, BucketRollup>();
    const hourAt = (hour: number): BucketRollup => {
      const open = hours.get(hour) ?? stored.read(hour);
      hours.set(hour, open);
      return open;
    };
    for (const group of groupsOf(chunks)) {
      rollUp(concatColumns(blobsOf(group), room), catalog, hourAt, room);
    }
    stored.keep(hours);
    const packs = [...hours].flatMap(([bucket, hour]) =>
      hour.packs().map((pack) => ({ level: 'hour' as const, bucket, ...pack })),
    );
    const buckets = [...hours].map(([bucket, { digest }]) => ({ level: 'hour' as const, bucket, ...digest }));
    const covered = chunks.map(({ id }) => id);
    const coveredSamples = chunks.reduce((sum, { n }) => sum + n, 0);
    const stale = coarser(hours.keys());
    return { ...NO_WRITES, step, ...catalog.takeNew(), covered, coveredSamples, packs, buckets, stale };
  }

  return { compute, next: () => firstOf(pending.iterate()).map(({ id }) => id) };
}

/** Hours that are kept in memory from one step to the next: what arrives is mostly of this hour. */
const MAX_KEPT_HOURS = 3;

interface HourReader {
  /** What is stored of an hour, ready for more. */
  read(hour: number): BucketRollup;
  /** Remembers the newest of them, as they are after this step. */
  keep(hours: ReadonlyMap<number, BucketRollup>): void;
}

function createHourReader(database: Database): HourReader {
  const digest = database.prepare<[number, number], Digest>(
    'SELECT n, a, b FROM bucket WHERE level = ? AND bucket = ?',
  );
  const packs = database.prepare<[number, number], { measure: number; bytes: Buffer }>(
    'SELECT measure, bytes FROM pack WHERE level = ? AND bucket = ?',
  );
  let kept = new Map<number, BucketRollup>();
  return {
    read(hour) {
      const stored = digest.get(LEVELS.hour, hour) ?? { n: 0, a: 0, b: 0 };
      const known = kept.get(hour);
      // What was kept and then not written, or was rewritten since, is another one.
      if (known !== undefined && sameDigest(known.digest, stored)) return known;
      const rollup = new BucketRollup();
      Object.assign(rollup.digest, stored);
      for (const pack of packs.iterate(LEVELS.hour, hour)) rollup.addPack(pack);
      return rollup;
    },
    keep(hours) {
      kept = new Map([...hours].sort(([a], [b]) => b - a).slice(0, MAX_KEPT_HOURS));
    },
  };
}

function sameDigest(one: Readonly<Digest>, other: Readonly<Digest>): boolean {
  return one.n === other.n && one.a === other.a && one.b === other.b;
}

function firstOf(chunks: Iterable<PendingChunk>): PendingChunk[] {
  const taken: PendingChunk[] = [];
  let samples = 0;
  for (const chunk of chunks) {
    taken.push(chunk);
    samples += chunk.n;
    if (samples >= STEP_SAMPLES) break;
  }
  return taken;
}

function groupsOf(chunks: readonly PendingChunk[]): PendingChunk[][] {
  const groups: PendingChunk[][] = [];
  let samples = TOGETHER_SAMPLES;
  for (const chunk of chunks) {
    if (samples >= TOGETHER_SAMPLES) {
      groups.push([]);
      samples = 0;
    }
    groups.at(-1)?.push(chunk);
    samples += chunk.n;
  }
  return groups;
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
    ...[...days].map((bucket) => ({ level: 'day' as const, bucket })),
    ...[...months].map((bucket) => ({ level: 'month' as const, bucket })),
  ];
}
