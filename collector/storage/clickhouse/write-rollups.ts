import { randomInt } from 'node:crypto';
import type { Segment } from '../passes/plan-range.ts';
import { bucketAt, bucketStart, RESOLUTIONS } from '../rollups/resolutions.ts';
import { addDigest, type Digest, isSameDigest } from '../rollups/row-digest.ts';
import { readHours, toRange } from './clickhouse-ranges.ts';
import type { ClickHouse } from './open-clickhouse.ts';
import { type RangeParts, writeBuckets } from './statements.ts';
import { readBuckets, type StoredBuckets, samplesFrom } from './stored-buckets.ts';

/**
 * Fewer samples of an hour are summed when they are asked for, until they expire: a rollup of so few takes nearly as many bytes
 * as they do.
 */
const WORTH_ROLLING_UP = 20_000;
/** Hours whose rollups are written by one set of statements: those of a day, unless they have more samples than this. */
const HOURS_AT_ONCE = 24;
const SAMPLES_AT_ONCE = 2_000_000;
/** Bits of a generation that tell two collectors apart which write in the same millisecond. */
const CHANCE_BITS = 20;

/**
 * Brings the rollups of hours with many samples up to date, and those of days and months that are over. Each is written whole
 * under a new generation and counts only once the table of buckets names it: one that is cut off, or written twice, changes
 * nothing.
 *
 * @param now epoch ms
 */
export async function writeRollups(clickHouse: ClickHouse, now: number): Promise<void> {
  const stored = await readBuckets(clickHouse);
  await rollUpHours(clickHouse, stored.staleHours(WORTH_ROLLING_UP), stored, now);
  for (const resolution of ['day', 'month'] as const) {
    const buckets = await readBuckets(clickHouse);
    for (const bucket of buckets.staleBuckets(resolution)) {
      if (bucketStart(resolution, bucket + 1) <= now)
        await rollUpCoarser(clickHouse, { resolution, bucket }, buckets, now);
    }
  }
}

/** Writes the rollups of these hours from their samples. */
export async function rollUpHours(
  clickHouse: ClickHouse,
  hours: readonly number[],
  stored: StoredBuckets,
  now: number,
): Promise<void> {
  const samplesOf = (hour: number) => stored.digestOf({ resolution: 'hour', bucket: hour }).n;
  for (const own of batchesOf(hours, samplesOf)) {
    const samples = own.map((bucket) => toRange({ resolution: 'hour', bucket }));
    await write(clickHouse, 'hour', own, { segments: [], samples }, stored, now);
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

/** A day of its hours, or of their samples; a month of its days. */
async function rollUpCoarser(
  clickHouse: ClickHouse,
  whole: Segment,
  buckets: StoredBuckets,
  now: number,
): Promise<void> {
  const { resolution, bucket } = whole;
  const { from, to } = toRange(whole);
  const fine = resolution === 'day' ? 'hour' : 'day';
  const [first, end] = [bucketAt(fine, from), bucketAt(fine, to)];
  const finer = Array.from(
    { length: end - first },
    (_, index) => ({ resolution: fine, bucket: first + index }) as const,
  );
  const filled = finer.filter((segment) => buckets.digestOf(segment).n > 0);
  const isCurrent = (one: (typeof filled)[number]) =>
    one.resolution === 'hour' ? buckets.isRolledUp(one.bucket) : buckets.isWhole('day', one.bucket);
  const single = filled.filter((segment) => !isCurrent(segment));
  if (single.length > 0 && (resolution === 'month' || from < buckets.samplesFrom())) return;
  await write(
    clickHouse,
    resolution,
    [bucket],
    { segments: filled.filter(isCurrent), samples: single.map(toRange) },
    buckets,
    now,
  );
}

/** @param parts all that is in these buckets */
async function write(
  clickHouse: ClickHouse,
  resolution: Segment['resolution'],
  buckets: readonly number[],
  parts: RangeParts,
  stored: StoredBuckets,
  now: number,
): Promise<void> {
  const generation = await newGeneration(clickHouse, now);
  const before = new Map(await readHours(clickHouse, parts.samples));
  if (parts.segments.length + parts.samples.length > 0) {
    for (const { sql, params } of writeBuckets(resolution, buckets, parts, generation))
      await clickHouse.run(sql, params);
  }
  const after = new Map(await readHours(clickHouse, parts.samples));
  const counted = await samplesOfRollups(clickHouse, resolution, buckets, generation);
  const keptFrom = await samplesFrom(clickHouse);
  const hours = [...new Set([...before.keys(), ...after.keys()])];
  const written = buckets.flatMap((bucket): (readonly [bucket: number, digest: Digest])[] => {
    const whole = toRange({ resolution, bucket });
    const isInside = (segment: Segment) => {
      const { from } = toRange(segment);
      return from >= whole.from && from < whole.to;
    };
    const own = hours.filter((hour) => isInside({ resolution: 'hour', bucket: hour }));
    // Another collector may have removed its samples before they were read.
    if (whole.from < keptFrom && parts.samples.some(({ from, to }) => from < whole.to && to > whole.from)) return [];
    // One that received samples meanwhile may have them in some of its sums only: it is left for the next time.
    if (!own.every((hour) => isSameDigest(before.get(hour), after.get(hour)))) return [];
    const digest = { n: 0, a: 0, b: 0 };
    for (const hour of own) addDigest(digest, after.get(hour) as Digest);
    for (const segment of parts.segments.filter(isInside)) addDigest(digest, stored.digestOf(segment));
    // A replica that has taken over may lack some of the finer rollups until it has fetched them.
    return (counted.get(bucket) ?? 0) === digest.n ? [[bucket, digest]] : [];
  });
  await complete(clickHouse, resolution, written, generation);
}

/** How many samples the rollups of a generation have, by bucket. */
async function samplesOfRollups(
  clickHouse: ClickHouse,
  resolution: Segment['resolution'],
  buckets: readonly number[],
  generation: string,
): Promise<ReadonlyMap<number, number>> {
  const sums = await clickHouse.select(
    `SELECT bucket, sum(n) AS n FROM rollup_count
     WHERE resolution = ${RESOLUTIONS[resolution]} AND bucket IN (${buckets.join(', ')}) AND generation = ${generation}
     GROUP BY bucket`,
  );
  const n = sums.numbers('n');
  return new Map(Array.from(sums.numbers('bucket'), (bucket, row) => [bucket, n[row] as number]));
}

/** Names the new rollups, and removes those before them. */
async function complete(
  clickHouse: ClickHouse,
  resolution: Segment['resolution'],
  written: readonly (readonly [bucket: number, digest: Digest])[],
  generation: string,
): Promise<void> {
  if (written.length === 0) return;
  const rows = written.map(
    ([bucket, { n, a, b }]) => `(${RESOLUTIONS[resolution]}, ${bucket}, ${generation}, ${n}, ${a >>> 0}, ${b >>> 0})`,
  );
  const buckets = written.map(([bucket]) => bucket);
  await clickHouse.run(`INSERT INTO bucket VALUES ${rows.join(', ')}`);
  const outdated = `resolution = ${RESOLUTIONS[resolution]} AND bucket IN (${buckets.join(', ')}) AND generation < ${generation}`;
  // Those that were never named too.
  const [some = 0] = (await clickHouse.select(`SELECT count() AS n FROM rollup_value WHERE ${outdated}`)).numbers('n');
  if (some === 0) return;
  for (const table of ROLLUP_TABLES) {
    await clickHouse.run(`ALTER TABLE ${table} DELETE WHERE ${outdated}`);
  }
}

/** `bucket` last: it names what the others have. */
export const ROLLUP_TABLES = ['rollup_value', 'rollup_count', 'rollup_client', 'bucket'] as const;

/** As a literal of 64 bits, which JavaScript's numbers do not have. Above all others, even if they are of a clock that was ahead. */
async function newGeneration(clickHouse: ClickHouse, now: number): Promise<string> {
  const newest = await clickHouse.select('SELECT toLowCardinality(toString(max(generation))) AS newest FROM bucket');
  const { strings, codes } = newest.text('newest');
  const after = (BigInt(strings[codes[0] as number] ?? 0) >> BigInt(CHANCE_BITS)) + 1n;
  const moment = after > BigInt(now) ? after : BigInt(now);
  return String((moment << BigInt(CHANCE_BITS)) | BigInt(randomInt(2 ** CHANCE_BITS)));
}
