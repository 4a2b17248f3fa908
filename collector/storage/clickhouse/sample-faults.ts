import { setTimeout } from 'node:timers/promises';
import type { Segment } from '../passes/plan-range.ts';
import { bucketAt, bucketStart, nameOfDay, RESOLUTIONS } from '../rollups/resolutions.ts';
import { differingHours } from './differing-hours.ts';
import { noteArrivals } from './note-arrivals.ts';
import type { ClickHouse } from './open-clickhouse.ts';
import { readBuckets, type StoredBuckets } from './stored-buckets.ts';

/** A collector that sends a block takes less from its samples to its arrival, ms. */
const PAUSE_MS = 10_000;

/** Hours whose samples are not those that have arrived, and rollups that have more or fewer than they should, in words. */
export async function findFaults(clickHouse: ClickHouse): Promise<string[]> {
  const buckets = await readBuckets(clickHouse);
  return [
    ...(await differingHours(clickHouse, buckets)).map(
      ({ hour, stored, arrived }) =>
        `the hour from ${nameOf(bucketStart('hour', hour))} has ${stored.n} samples, and ${arrived.n} have arrived`,
    ),
    ...(await wrongRollups(clickHouse, buckets)).map(
      ({ resolution, bucket, n, counted }) =>
        `the ${resolution} from ${nameOf(bucketStart(resolution, bucket))} has ${n} samples, its rollup ${counted}`,
    ),
  ];
}

function nameOf(time: number): string {
  return new Date(time).toISOString();
}

/**
 * Takes what is stored for what has arrived, where these differ, because a disk was lost: until then the rollups of those days are
 * never up to date, so that their samples do not expire. Rollups that are wrong are forgotten, and written by the next pass.
 *
 * @returns the days of these, such as 2026-02-26
 */
export async function repairSamples(clickHouse: ClickHouse, pauseMs = PAUSE_MS): Promise<string[]> {
  const found = await readBuckets(clickHouse);
  const before = new Set((await differingHours(clickHouse, found)).map((one) => JSON.stringify(one)));
  const wrong = (await wrongRollups(clickHouse, found)).filter((one) => isRebuildable(found, one));
  if (before.size === 0 && wrong.length === 0) return [];
  await setTimeout(pauseMs);
  const still = (await differingHours(clickHouse, await readBuckets(clickHouse))).filter((one) =>
    before.has(JSON.stringify(one)),
  );
  await noteArrivals(
    clickHouse,
    'repaired',
    still.map(({ hour, change }) => [hour, change]),
  );
  if (wrong.length > 0) {
    const names = wrong.map(({ resolution, bucket }) => `(${RESOLUTIONS[resolution]}, ${bucket})`);
    await clickHouse.deleteRows('bucket', `(resolution, bucket) IN (${names.join(', ')})`);
  }
  const starts = [
    ...still.map(({ hour }) => bucketStart('hour', hour)),
    ...wrong.map(({ resolution, bucket }) => bucketStart(resolution, bucket)),
  ];
  return [...new Set(starts.map((start) => nameOfDay(bucketAt('day', start))))];
}

/** Whether the data that a rollup is built from is still kept. */
function isRebuildable(buckets: StoredBuckets, { resolution, bucket }: Segment): boolean {
  const start = bucketStart(resolution, bucket);
  if (start >= buckets.samplesFrom()) return true;
  if (resolution === 'hour') return false;
  const finer = resolution === 'day' ? 'hour' : 'day';
  const extent = buckets.extent(finer);
  return extent !== null && bucketAt(finer, start) >= extent.first;
}

/** A rollup that is in force and has more or fewer samples than its bucket. */
interface WrongRollup extends Segment {
  readonly n: number;
  readonly counted: number;
}

async function wrongRollups(clickHouse: ClickHouse, buckets: StoredBuckets): Promise<WrongRollup[]> {
  const sums = await clickHouse.select(
    `SELECT resolution, bucket, sum(counted) AS counted FROM (
       SELECT resolution, bucket, toUInt64(0) AS counted FROM bucket GROUP BY resolution, bucket
       UNION ALL
       SELECT resolution, bucket, sum(n) AS counted FROM rollup_count
       WHERE (resolution, bucket, generation) IN (SELECT resolution, bucket, max(generation) FROM bucket GROUP BY resolution, bucket)
       GROUP BY resolution, bucket
     ) GROUP BY resolution, bucket ORDER BY resolution, bucket`,
  );
  const [resolutions, numbers, counts] = ['resolution', 'bucket', 'counted'].map((name) => sums.numbers(name)) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  const wrong: WrongRollup[] = [];
  for (let row = 0; row < sums.n; row++) {
    const resolution = (['hour', 'day', 'month'] as const).find((name) => RESOLUTIONS[name] === resolutions[row]);
    const [bucket, counted] = [numbers[row] as number, counts[row] as number];
    if (resolution === undefined) continue;
    if (resolution === 'hour' ? !buckets.isRolledUp(bucket) : !buckets.isWhole(resolution, bucket)) continue;
    const { n } = buckets.digestOf({ resolution, bucket });
    if (n !== counted) wrong.push({ resolution, bucket, n, counted });
  }
  return wrong;
}
