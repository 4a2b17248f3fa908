import { bucketStart, RESOLUTIONS } from '../rollups/resolutions.ts';
import type { ClickHouse } from './blocking-query.ts';
import { differingHours } from './differing-hours.ts';
import { readBuckets } from './stored-buckets.ts';

/** Hours whose samples are not those that have arrived, and rollups that have more or fewer than they should, in words. */
export function findFaults(clickHouse: ClickHouse): string[] {
  const buckets = readBuckets(clickHouse);
  const faults: string[] = [];
  for (const { hour, stored, arrived } of differingHours(clickHouse, buckets)) {
    faults.push(
      `the hour from ${nameOf(bucketStart('hour', hour))} has ${stored.n} samples, and ${arrived.n} have arrived`,
    );
  }
  const counted = clickHouse.select(
    `SELECT resolution, bucket, sum(n) AS n FROM rollup_count
     WHERE (resolution, bucket, generation) GLOBAL IN (SELECT resolution, bucket, max(generation) FROM bucket GROUP BY resolution, bucket)
     GROUP BY resolution, bucket`,
  );
  const [resolutions, numbers, sums] = ['resolution', 'bucket', 'n'].map((name) => counted.numbers(name)) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  for (let row = 0; row < counted.n; row++) {
    const resolution = (['hour', 'day', 'month'] as const).find((name) => RESOLUTIONS[name] === resolutions[row]);
    const bucket = numbers[row] as number;
    if (resolution === undefined) continue;
    if (resolution === 'hour' ? !buckets.isRolledUp(bucket) : !buckets.isWhole(resolution, bucket)) continue;
    const { n } = buckets.digestOf({ resolution, bucket });
    if (n === sums[row]) continue;
    faults.push(
      `the ${resolution} from ${nameOf(bucketStart(resolution, bucket))} has ${n} samples, its rollup ${sums[row]}`,
    );
  }
  return faults;
}

function nameOf(time: number): string {
  return new Date(time).toISOString();
}
