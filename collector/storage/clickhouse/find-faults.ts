import { bucketStart } from '../rollups/resolutions.ts';
import { differingHours } from './differing-hours.ts';
import type { ClickHouse } from './open-clickhouse.ts';
import { readBuckets } from './stored-buckets.ts';
import { wrongRollups } from './wrong-rollups.ts';

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
