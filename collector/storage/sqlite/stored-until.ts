import type { Database } from 'better-sqlite3';
import { bucketStart, DAY_MS, RESOLUTIONS } from '../rollups/resolutions.ts';

/** The end of the day (UTC) of the newest sample that is or was stored, epoch ms; null where nothing tells of any. */
export function storedUntil(database: Database): number | null {
  const newest = database.prepare<[], number | null>('SELECT max(t1) FROM chunk').pluck().get();
  const last = database
    .prepare<[number], number | null>('SELECT max(bucket) FROM bucket WHERE level = ? AND n > 0')
    .pluck();
  const ends = typeof newest === 'number' ? [newest + 1] : [];
  // A month ends long after its newest sample: coarser levels count where there are no finer ones.
  for (const resolution of ['hour', 'day', 'month'] as const) {
    const bucket = last.get(RESOLUTIONS[resolution]);
    if (typeof bucket !== 'number') continue;
    ends.push(bucketStart(resolution, bucket + 1));
    break;
  }
  return ends.length === 0 ? null : Math.ceil(Math.max(...ends) / DAY_MS) * DAY_MS;
}
