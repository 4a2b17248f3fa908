import type { IsWhole, Segment } from '../passes/plan-range.ts';
import type { StoredFacts } from '../passes/stored-plan.ts';
import { bucketAt, bucketStart, RESOLUTIONS } from '../rollups/resolutions.ts';
import { addDigest, type Digest, isSameDigest } from '../rollups/row-digest.ts';
import type { NativeBlock } from './native-reader.ts';
import type { ClickHouse } from './open-clickhouse.ts';

type RollupResolution = Segment['resolution'];

/** Which rollups there are, and which samples have arrived. */
export interface StoredBuckets extends StoredFacts {
  /** Whether its rollup has exactly the samples that have arrived. */
  isRolledUp(hour: number): boolean;
  /** Hours whose rollup is outdated, and those of at least so many samples that have none. */
  staleHours(least: number): readonly number[];
  /** Days or months that have samples and no current rollup. */
  staleBuckets(resolution: 'day' | 'month'): readonly number[];
  /** Of the samples of a bucket. */
  digestOf(segment: Segment): Readonly<Digest>;
}

const NOTHING: Readonly<Digest> = { n: 0, a: 0, b: 0 };

/** Reads all of it: a row per bucket. */
export async function readBuckets(clickHouse: ClickHouse): Promise<StoredBuckets> {
  // In this order: another collector writes the rollups of samples, then removes these.
  const { samplesFrom: from, hourFrom: hoursFrom, dayFrom: daysFrom } = await readKept(clickHouse);
  // Rollups whose samples have expired must stay as they are, even if another collector sends a sample that late.
  const arrived = new Map(
    readDigests(
      await clickHouse.select(
        `SELECT hour, sum(one) AS n, toUInt32(sum(first)) AS a, toUInt32(sum(second)) AS b FROM (
           SELECT hour, token, any(n) AS one, any(a) AS first, any(b) AS second FROM arrival
           WHERE hour >= {from:UInt32} GROUP BY hour, token
         ) GROUP BY hour`,
        { from: bucketAt('hour', from) },
      ),
      'hour',
    ),
  );
  const rolled = { hour: new Map<number, Digest>(), day: new Map<number, Digest>(), month: new Map<number, Digest>() };
  const block = await clickHouse.select(
    `SELECT resolution, bucket, argMax(n, generation) AS n, argMax(a, generation) AS a, argMax(b, generation) AS b
     FROM bucket GROUP BY resolution, bucket`,
  );
  const resolutions = block.numbers('resolution');
  readDigests(block, 'bucket').forEach(([bucket, digest], row) => {
    for (const name of ['hour', 'day', 'month'] as const) {
      if (RESOLUTIONS[name] === resolutions[row]) rolled[name].set(bucket, digest);
    }
  });

  const ofHour = (hour: number): Readonly<Digest> | undefined => arrived.get(hour) ?? rolled.hour.get(hour);
  const hours = new Set([...arrived.keys(), ...rolled.hour.keys()]);
  const hoursByDay = grouped(hours, (hour) => bucketAt('day', bucketStart('hour', hour)));
  const days = new Set([...hoursByDay.keys(), ...rolled.day.keys()]);
  const daysByMonth = grouped(days, (day) => bucketAt('month', bucketStart('day', day)));
  const months = new Set([...daysByMonth.keys(), ...rolled.month.keys()]);

  /** Hours that are no longer kept are in the day, of which some may be left. */
  function ofDay(day: number): Readonly<Digest> | undefined {
    const own = bucketStart('day', day) < hoursFrom ? undefined : hoursByDay.get(day);
    return own === undefined ? rolled.day.get(day) : sumOf(own.map((hour) => ofHour(hour) ?? NOTHING));
  }

  function ofMonth(month: number): Readonly<Digest> | undefined {
    const own = bucketStart('month', month) < daysFrom ? undefined : daysByMonth.get(month);
    return own === undefined ? rolled.month.get(month) : sumOf(own.map((day) => ofDay(day) ?? NOTHING));
  }

  const truth = { hour: ofHour, day: ofDay, month: ofMonth };
  const all = { hour: hours, day: days, month: months };
  const isCurrent = (resolution: RollupResolution, bucket: number): boolean => {
    const own = rolled[resolution].get(bucket);
    const wanted = truth[resolution](bucket);
    return own !== undefined && isSameDigest(own, wanted);
  };
  const isWhole: IsWhole = isCurrent;
  const stale = (resolution: RollupResolution) =>
    [...all[resolution]].filter((bucket) => !isCurrent(resolution, bucket)).sort((a, b) => a - b);

  return {
    samplesFrom: () => from,
    isWhole,
    isRolledUp: (hour) => isCurrent('hour', hour),
    staleHours: (least) =>
      stale('hour').filter((hour) => rolled.hour.has(hour) || (ofHour(hour) ?? NOTHING).n >= least),
    staleBuckets: stale,
    extent(resolution) {
      const buckets = [...all[resolution]];
      if (buckets.length === 0) return null;
      return {
        first: buckets.reduce((least, bucket) => Math.min(least, bucket)),
        last: buckets.reduce((most, bucket) => Math.max(most, bucket)),
      };
    },
    samplesIn(resolution, first, last) {
      let n = 0;
      for (const bucket of all[resolution]) {
        if (bucket >= first && bucket <= last) n += (truth[resolution](bucket) ?? NOTHING).n;
      }
      return n;
    },
    // Part of an hour is a statement like any other.
    hasSamples: () => true,
    digestOf: ({ resolution, bucket }) => truth[resolution](bucket) ?? NOTHING,
  };
}

/** Epoch ms from which samples, hours and days are kept; 0 if none was removed. */
async function readKept(
  clickHouse: ClickHouse,
): Promise<Readonly<Record<'samplesFrom' | 'hourFrom' | 'dayFrom', number>>> {
  const state = await clickHouse.select(
    'SELECT toLowCardinality(name) AS name, max(value) AS value FROM state GROUP BY name',
  );
  const { strings, codes } = state.text('name');
  const values = state.numbers('value');
  const own = new Map(Array.from(codes, (code, row) => [strings[code], values[row]]));
  return {
    samplesFrom: own.get('samplesFrom') ?? 0,
    hourFrom: own.get('hourFrom') ?? 0,
    dayFrom: own.get('dayFrom') ?? 0,
  };
}

/** Samples before this time (epoch ms) were removed; 0 if none was. */
export const samplesFrom = async (clickHouse: ClickHouse): Promise<number> => (await readKept(clickHouse)).samplesFrom;

export function readDigests(block: NativeBlock, key: string): [number, Digest][] {
  const [keys, n, a, b] = [key, 'n', 'a', 'b'].map((name) => block.numbers(name)) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  return Array.from(keys, (bucket, row): [number, Digest] => [
    bucket,
    { n: n[row] as number, a: (a[row] as number) | 0, b: (b[row] as number) | 0 },
  ]);
}

function grouped(numbers: Iterable<number>, of: (number: number) => number): Map<number, number[]> {
  const groups = new Map<number, number[]>();
  for (const number of numbers) {
    const group = groups.get(of(number)) ?? [];
    group.push(number);
    groups.set(of(number), group);
  }
  return groups;
}

function sumOf(digests: readonly Readonly<Digest>[]): Digest {
  const total = { ...NOTHING };
  for (const digest of digests) addDigest(total, digest);
  return total;
}
