import { bucketAt } from '../rollups/resolutions.ts';
import type { Digest } from '../rollups/row-digest.ts';
import { readHours } from './clickhouse-ranges.ts';
import type { ClickHouse } from './open-clickhouse.ts';
import type { StoredBuckets } from './stored-buckets.ts';

/** An hour whose samples are not those that have arrived. */
export interface DifferingHour {
  /** Since 1970. */
  readonly hour: number;
  readonly stored: Readonly<Digest>;
  readonly arrived: Readonly<Digest>;
  /** By which what has arrived differs from what is stored. */
  readonly change: Readonly<Digest>;
}

/** Of all hours whose samples are kept, also of those that have lost all of them. */
export async function differingHours(clickHouse: ClickHouse, buckets: StoredBuckets): Promise<DifferingHour[]> {
  const from = buckets.samplesFrom();
  const stored = new Map(await readHours(clickHouse, [{ from, to: Number.MAX_SAFE_INTEGER }]));
  const extent = buckets.extent('hour');
  const hours = new Set(stored.keys());
  if (extent !== null)
    for (let hour = Math.max(extent.first, bucketAt('hour', from)); hour <= extent.last; hour++) hours.add(hour);
  return [...hours]
    .sort((a, b) => a - b)
    .map((hour) => {
      const own = stored.get(hour) ?? { n: 0, a: 0, b: 0 };
      const arrived = buckets.digestOf({ resolution: 'hour', bucket: hour });
      const change = { n: own.n - arrived.n, a: own.a - arrived.a, b: own.b - arrived.b };
      return { hour, stored: own, arrived, change };
    })
    .filter(({ change: { n, a, b } }) => n !== 0 || a !== 0 || b !== 0);
}
