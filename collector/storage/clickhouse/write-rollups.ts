import { randomInt } from 'node:crypto';
import type { Segment } from '../passes/plan-range.ts';
import { bucketOf, bucketStart, RESOLUTIONS } from '../rollups/resolutions.ts';
import type { Digest } from '../rollups/row-digest.ts';
import type { ClickHouse } from './blocking-query.ts';
import { hoursOf } from './clickhouse-ranges.ts';
import { insideOf, writeCoarser, writeHours } from './statements.ts';
import { readBuckets, type StoredBuckets } from './stored-buckets.ts';

/** Hours whose rollups are written by one set of statements: those of a day, unless they have more samples than this. */
const HOURS_AT_ONCE = 24;
const SAMPLES_AT_ONCE = 2_000_000;
/** Bits of a generation that tell two collectors apart which write in the same millisecond. */
const CHANCE_BITS = 20;

/**
 * Brings the rollups of hours up to date, and those of days and months that are over. Each is written whole under a new
 * generation and counts only once the table of buckets names it: one that is cut off, or written twice, changes nothing.
 *
 * @param now epoch ms
 */
export function writeRollups(clickHouse: ClickHouse, now: number): void {
  const stored = readBuckets(clickHouse);
  for (const hours of batchesOf(
    stored.staleHours(),
    (hour) => stored.digestOf({ resolution: 'hour', bucket: hour }).n,
  )) {
    rollUpHours(clickHouse, hours, now);
  }
  for (const resolution of ['day', 'month'] as const) {
    const buckets = readBuckets(clickHouse);
    for (const bucket of buckets.staleBuckets(resolution)) {
      if (bucketStart(resolution, bucket + 1) <= now) rollUpCoarser(clickHouse, { resolution, bucket }, buckets, now);
    }
  }
}

/** @param samplesOf how many samples an hour has */
function batchesOf(hours: readonly number[], samplesOf: (hour: number) => number): number[][] {
  const batches: number[][] = [];
  let samples = Number.POSITIVE_INFINITY;
  for (const hour of hours) {
    const last = batches.at(-1);
    samples += samplesOf(hour);
    if (last !== undefined && last.length < HOURS_AT_ONCE && samples <= SAMPLES_AT_ONCE) last.push(hour);
    else {
      batches.push([hour]);
      samples = samplesOf(hour);
    }
  }
  return batches;
}

function rollUpHours(clickHouse: ClickHouse, hours: readonly number[], now: number): void {
  const ranges = hours.map((hour) => ({ from: bucketStart('hour', hour), to: bucketStart('hour', hour + 1) }));
  const inside = insideOf(ranges);
  const before = new Map(hoursOf(clickHouse, ranges));
  const generation = newGeneration(clickHouse, now);
  for (const sql of writeHours(inside.sql, generation)) clickHouse.run(sql, inside.params);
  const after = new Map(hoursOf(clickHouse, ranges));
  // An hour that received samples meanwhile may have them in some of its sums only: it is left for the next time.
  const quiet = hours.filter((hour) => isSame(before.get(hour), after.get(hour)));
  complete(clickHouse, 'hour', quiet, generation, (hour) => after.get(hour) ?? { n: 0, a: 0, b: 0 });
}

function rollUpCoarser(clickHouse: ClickHouse, whole: Segment, buckets: StoredBuckets, now: number): void {
  const { resolution, bucket } = whole;
  const fine = resolution === 'day' ? 'hour' : 'day';
  const [first, end] = [
    bucketOf(fine, bucketStart(resolution, bucket)),
    bucketOf(fine, bucketStart(resolution, bucket + 1)),
  ];
  const finer = Array.from(
    { length: end - first },
    (_, index) => ({ resolution: fine, bucket: first + index }) as const,
  );
  const filled = finer.filter((segment) => buckets.digestOf(segment).n > 0);
  const isCurrent = (one: (typeof filled)[number]) =>
    one.resolution === 'hour' ? buckets.isRolledUp(one.bucket) : buckets.isWhole('day', one.bucket);
  if (!filled.every(isCurrent)) return;
  const generation = newGeneration(clickHouse, now);
  if (filled.length > 0) {
    for (const { sql, params } of writeCoarser(whole, filled, generation)) clickHouse.run(sql, params);
  }
  complete(clickHouse, resolution, [bucket], generation, () => buckets.digestOf(whole));
}

/** Names the new rollups, and removes those before them. */
function complete(
  clickHouse: ClickHouse,
  resolution: Segment['resolution'],
  buckets: readonly number[],
  generation: string,
  digestOf: (bucket: number) => Readonly<Digest>,
): void {
  if (buckets.length === 0) return;
  const rows = buckets.map((bucket) => {
    const { n, a, b } = digestOf(bucket);
    return `(${RESOLUTIONS[resolution]}, ${bucket}, ${generation}, ${n}, ${a >>> 0}, ${b >>> 0})`;
  });
  clickHouse.run(`INSERT INTO bucket VALUES ${rows.join(', ')}`);
  const outdated = `resolution = ${RESOLUTIONS[resolution]} AND bucket IN (${buckets.join(', ')}) AND generation < ${generation}`;
  const [some = 0] = clickHouse.select(`SELECT count() AS n FROM bucket WHERE ${outdated}`).numbers('n');
  if (some === 0) return;
  for (const table of ROLLUP_TABLES) {
    clickHouse.run(`ALTER TABLE ${clickHouse.tables.stored(table)} DELETE WHERE ${outdated}`);
  }
}

/** `bucket` last: it names what the others have. */
export const ROLLUP_TABLES = ['rollup_value', 'rollup_count', 'rollup_client', 'bucket'] as const;

/** As a literal of 64 bits, which JavaScript's numbers do not have. Above all others, even if they are of a clock that was ahead. */
function newGeneration(clickHouse: ClickHouse, now: number): string {
  const newest = clickHouse.select('SELECT toLowCardinality(toString(max(generation))) AS newest FROM bucket');
  const { strings, codes } = newest.text('newest');
  const after = (BigInt(strings[codes[0] as number] ?? 0) >> BigInt(CHANCE_BITS)) + 1n;
  const moment = after > BigInt(now) ? after : BigInt(now);
  return String((moment << BigInt(CHANCE_BITS)) | BigInt(randomInt(2 ** CHANCE_BITS)));
}

function isSame(one: Readonly<Digest> | undefined, other: Readonly<Digest> | undefined): boolean {
  return one?.n === other?.n && one?.a === other?.a && one?.b === other?.b;
}
