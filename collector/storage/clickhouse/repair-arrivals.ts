import { bucketOf, bucketStart } from '../rollups/resolutions.ts';
import { nameOfDay } from '../sqlite/check-store.ts';
import type { ClickHouse } from './blocking-query.ts';
import { differingHours } from './differing-hours.ts';
import { noteArrivals } from './note-arrivals.ts';
import { readBuckets } from './stored-buckets.ts';

/** A collector that sends a block takes less from its samples to its arrival, ms. */
const PAUSE_MS = 10_000;

/**
 * Takes what is stored for what has arrived, where these differ, because a disk was lost. Until then the rollups of those days are never up to date, so that their samples do not expire.
 *
 * @returns the days of these hours, such as 2026-02-26
 */
export function repairArrivals(clickHouse: ClickHouse, pauseMs = PAUSE_MS): string[] {
  const before = new Set(differingHours(clickHouse, readBuckets(clickHouse)).map((one) => JSON.stringify(one)));
  if (before.size === 0) return [];
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
  const still = differingHours(clickHouse, readBuckets(clickHouse)).filter((one) => before.has(JSON.stringify(one)));
  noteArrivals(
    clickHouse,
    'repaired',
    still.map(({ hour, change }) => [hour, change]),
  );
  return [...new Set(still.map(({ hour }) => nameOfDay(bucketOf('day', bucketStart('hour', hour)))))];
}
