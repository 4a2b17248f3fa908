import type { Segment } from '../passes/plan-range.ts';
import { RESOLUTIONS } from '../rollups/resolutions.ts';
import type { ClickHouse } from './open-clickhouse.ts';
import type { StoredBuckets } from './stored-buckets.ts';

/** A rollup that is in force and has more or fewer samples than its bucket. */
export interface WrongRollup extends Segment {
  readonly n: number;
  readonly counted: number;
}

export async function wrongRollups(clickHouse: ClickHouse, buckets: StoredBuckets): Promise<WrongRollup[]> {
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
