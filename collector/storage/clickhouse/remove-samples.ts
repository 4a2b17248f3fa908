import type { Retention } from '../../../shared/settings/read-retention.ts';
import { bucketAt, bucketStart, DAY_MS, HOUR_MS, nameOfDay, RESOLUTIONS } from '../rollups/resolutions.ts';
import type { Digest } from '../rollups/row-digest.ts';
import type { ErasedBy } from '../store.ts';
import { StoreError } from '../store-error.ts';
import { readHours } from './clickhouse-ranges.ts';
import { differingHours } from './differing-hours.ts';
import { noteArrivals } from './note-arrivals.ts';
import type { ClickHouse } from './open-clickhouse.ts';
import { digestsOfSamples } from './statements.ts';
import { readBuckets, readDigests, type StoredBuckets } from './stored-buckets.ts';
import { ROLLUP_TABLES, rollUpHours } from './write-rollups.ts';

/** A browser's random id is valid for its month; until then it may send again and must be recognized. */
const CLIENT_ID_DAYS = 31;
/** How many of the oldest buckets of each resolution one pass removes: a day's worth, or one month. */
const BUCKETS_A_PASS = { hour: DAY_MS / HOUR_MS, day: 1, month: 1 } as const;

/**
 * Removes expired data, at most the oldest day of each kind, as prune.ts does. Samples go by the partition, which takes no
 * time; a day whose rollups are not current yet stays. Hours that had too few samples for a rollup get theirs now.
 *
 * @param now epoch ms, of a trusted clock
 * @param oldestWaiting epoch ms of the oldest sample that is still to be forwarded, whose day stays; null if none is
 */
export async function removeExpired(
  clickHouse: ClickHouse,
  now: number,
  retention: Retention,
  oldestWaiting: number | null,
): Promise<void> {
  const buckets = await readBuckets(clickHouse);
  const first = await clickHouse.select('SELECT min(intDiv(at, 86400000)) AS day, count() AS n FROM sample');
  const [oldest = 0] = first.numbers('day');
  const [n = 0] = first.numbers('n');
  const expired = bucketAt('day', Math.min(now - retention.sampleDays * DAY_MS, oldestWaiting ?? now));
  const isDue = n > 0 && oldest < expired;
  const isReady =
    isDue &&
    (bucketStart('day', oldest) < buckets.samplesFrom() ||
      (buckets.isWhole('day', oldest) && (await allRolledUp(clickHouse, buckets, oldest, now))));
  if (isReady) {
    const until = oldest + 1;
    await clickHouse.run(`INSERT INTO state VALUES ('samplesFrom', ${bucketStart('day', until)})`);
    await clickHouse.run(`ALTER TABLE sample DROP PARTITION ${oldest}`);
    await clickHouse.deleteRows('arrival', `hour < ${until * BUCKETS_A_PASS.hour}`);
    const needed = Math.min(until, bucketAt('day', now) - CLIENT_ID_DAYS);
    await clickHouse.run(`ALTER TABLE client DELETE WHERE lastDay < ${needed}`);
  }
  for (const [resolution, days] of [
    ['hour', retention.hourDays],
    ['day', retention.dayDays],
    ['month', retention.monthDays],
  ] as const) {
    const extent = buckets.extent(resolution);
    if (days === null || extent === null) continue;
    const end = Math.min(bucketAt(resolution, now - days * DAY_MS), extent.first + BUCKETS_A_PASS[resolution]);
    if (end <= extent.first) continue;
    // First, so that no coarser rollup is ever compared with what is left of its finer ones.
    await clickHouse.run(`INSERT INTO state VALUES ('${resolution}From', ${bucketStart(resolution, end)})`);
    for (const table of ROLLUP_TABLES) {
      await clickHouse.deleteRows(table, `resolution = ${RESOLUTIONS[resolution]} AND bucket < ${end}`);
    }
  }
  // Another collector may be writing the rollups of a day that has just expired.
  if (isDue && !isReady && oldest < expired - 1) {
    throw new StoreError(
      'store_corrupt',
      `the samples of ${nameOfDay(oldest)} have expired and stay, because their rollups do not have exactly these`,
      'lastbyte check says which hours differ, and check --repair rolls up what there is.',
    );
  }
}

async function allRolledUp(clickHouse: ClickHouse, buckets: StoredBuckets, day: number, now: number): Promise<boolean> {
  const missing = ({ isRolledUp, digestOf }: StoredBuckets) =>
    Array.from({ length: BUCKETS_A_PASS.hour }, (_, index) => day * BUCKETS_A_PASS.hour + index).filter(
      (hour) => !isRolledUp(hour) && digestOf({ resolution: 'hour', bucket: hour }).n > 0,
    );
  const hours = missing(buckets);
  if (hours.length === 0) return true;
  await rollUpHours(clickHouse, hours, buckets, now);
  return missing(await readBuckets(clickHouse)).length === 0;
}

/**
 * Removes the samples of a browser or key. First their arrival is taken back, hour by hour, which makes the rollups of those
 * hours outdated: cut off after that, the next erasure finds that samples remain whose arrival was taken back.
 */
export async function eraseSamples(
  clickHouse: ClickHouse,
  whose: ErasedBy,
): Promise<{ readonly samples: number; readonly days: number }> {
  const [column, id] = 'key' in whose ? (['key', whose.key] as const) : (['client', whose.client] as const);
  const { sql } = digestsOfSamples({ sql: `${column} = {id:String}`, params: {} });
  const erased = readDigests(await clickHouse.select(sql, { id }), 'hour');
  if (column === 'client') await clickHouse.deleteRows('client', 'client = {id:String}', { id });
  if (erased.length === 0) return { samples: 0, days: 0 };
  const wrongBefore = new Set((await lostHours(clickHouse)).map(([hour]) => hour));
  await takeBackArrival(clickHouse, erased);
  await clickHouse.deleteRows('sample', `${column} = {id:String}`, { id });
  // Samples that a collector sent meanwhile are removed too.
  const sentMeanwhile = (await lostHours(clickHouse)).filter(([hour]) => !wrongBefore.has(hour));
  await noteArrivals(clickHouse, 'erased', sentMeanwhile);
  return {
    samples: erased.reduce((sum, [, { n }]) => sum + n, 0),
    days: new Set(erased.map(([hour]) => Math.floor(hour / BUCKETS_A_PASS.hour))).size,
  };
}

/** Hours with fewer samples than have arrived, and by what. Samples of a block are there before their arrival is. */
async function lostHours(clickHouse: ClickHouse): Promise<[hour: number, change: Digest][]> {
  return (await differingHours(clickHouse, await readBuckets(clickHouse))).flatMap(({ hour, change }) =>
    change.n < 0 ? [[hour, change]] : [],
  );
}

async function takeBackArrival(
  clickHouse: ClickHouse,
  erased: readonly (readonly [hour: number, Digest])[],
): Promise<void> {
  const ranges = erased.map(([hour]) => ({ from: bucketStart('hour', hour), to: bucketStart('hour', hour + 1) }));
  const stored = new Map(await readHours(clickHouse, ranges));
  const arrived = await readBuckets(clickHouse);
  const rows = erased.flatMap(([hour, { n, a, b }]) => {
    const all = stored.get(hour) ?? { n: 0, a: 0, b: 0 };
    const known = arrived.digestOf({ resolution: 'hour', bucket: hour });
    const isTakenBack = known.n === all.n - n && known.a === ((all.a - a) | 0) && known.b === ((all.b - b) | 0);
    return isTakenBack ? [] : [[hour, { n: -n, a: -a, b: -b }] as const];
  });
  await noteArrivals(clickHouse, 'erased', rows);
}
