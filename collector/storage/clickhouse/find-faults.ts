import { bucketStart } from '../rollups/resolutions.ts';
import type { ClickHouse } from './blocking-query.ts';
import { differingHours } from './differing-hours.ts';
import { readBuckets } from './stored-buckets.ts';
import { wrongRollups } from './wrong-rollups.ts';

/** Hours whose samples are not those that have arrived, and rollups that have more or fewer than they should, in words. */
export function findFaults(clickHouse: ClickHouse): string[] {
  const buckets = readBuckets(clickHouse);
  return [
    ...differingHours(clickHouse, buckets).map(
      ({ hour, stored, arrived }) =>
        `the hour from ${nameOf(bucketStart('hour', hour))} has ${stored.n} samples, and ${arrived.n} have arrived`,
    ),
    ...wrongRollups(clickHouse, buckets).map(
      ({ resolution, bucket, n, counted }) =>
        `the ${resolution} from ${nameOf(bucketStart(resolution, bucket))} has ${n} samples, its rollup ${counted}`,
    ),
  ];
}

function nameOf(time: number): string {
  return new Date(time).toISOString();
}
