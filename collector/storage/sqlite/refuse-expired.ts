import type { Database } from 'better-sqlite3';
import type { RangePlan } from '../passes/plan-range.ts';
import { bucketOf, bucketStart, RESOLUTIONS, type Resolution } from '../rollups/resolutions.ts';
import { StoreError } from '../store-error.ts';

/**
 * Finds out whether what a plan wants to read finely is still kept so finely. Throws StoreError `samples_expired` where
 * it is not: an answer with a part missing would look like any other.
 *
 * @returns check of a plan; `exact` plans read days value by value
 */
export function createExpiryCheck(database: Database): (plan: RangePlan, exact: boolean) => void {
  const samplesFrom = database.prepare<[], number>('SELECT samples_from FROM state').pluck();
  const extent = database.prepare<[number], { first: number | null; last: number | null }>(
    'SELECT min(bucket) AS first, max(bucket) AS last FROM bucket WHERE level = ?',
  );
  const samples = database
    .prepare<[number, number, number], number>(
      'SELECT coalesce(sum(n), 0) FROM bucket WHERE level = ? AND bucket >= ? AND bucket <= ?',
    )
    .pluck();
  const inBuckets = (resolution: Resolution, from: number, to: number) =>
    samples.get(RESOLUTIONS[resolution], bucketOf(resolution, from), bucketOf(resolution, to - 1)) ?? 0;
  const anyIn = (resolution: Resolution, from: number, to: number) => inBuckets(resolution, from, to) > 0;
  /** When the first bucket of a level begins; where none is left, when the coarser one ends. */
  const keptFrom = (fine: 'hour' | 'day', coarse: 'day' | 'month'): number => {
    const { first } = extent.get(RESOLUTIONS[fine]) ?? { first: null };
    if (first !== null) return bucketStart(fine, first);
    const { last } = extent.get(RESOLUTIONS[coarse]) ?? { last: null };
    return last === null ? 0 : bucketStart(coarse, last + 1);
  };
  /** Whether the coarser buckets around hold more than the finer ones do. One that is missing may just have had no samples. */
  const pruned = (fine: 'hour' | 'day', coarse: 'day' | 'month', from: number, to: number) => {
    const start = bucketStart(coarse, bucketOf(coarse, from));
    const end = bucketStart(coarse, bucketOf(coarse, to - 1) + 1);
    return inBuckets(coarse, start, end) > inBuckets(fine, start, end);
  };

  return ({ segments, edges }, exact) => {
    const kept = samplesFrom.get() ?? 0;
    if (kept === 0) return;
    const daysFrom = keptFrom('day', 'month');
    const hoursFrom = keptFrom('hour', 'day');
    const noHours = (from: number, to: number) => from < hoursFrom && pruned('hour', 'day', from, to);
    const noDays = (from: number, to: number) => from < daysFrom && pruned('day', 'month', from, to);
    for (const { from, to } of edges) {
      if (from >= kept) continue;
      const end = Math.min(to, kept);
      if (anyIn('hour', from, end) || noHours(from, end) || noDays(from, end)) throw expired(kept, 'samples');
    }
    for (const { resolution, bucket } of segments) {
      const from = bucketStart(resolution, bucket);
      const to = bucketStart(resolution, bucket + 1);
      if (exact && from < kept && anyIn(resolution, from, to)) throw expired(kept, 'samples');
      if (resolution === 'hour' && noHours(from, to)) throw expired(hoursFrom, 'hours');
      if (resolution === 'hour' && noDays(from, to)) throw expired(daysFrom, 'days');
    }
  };
}

/** What can be asked instead. */
const HINTS = {
  samples: 'Ask from a full hour to a full hour and not exactly, or from that time on.',
  hours: 'Ask from a full day to a full day (UTC), or from that time on.',
  days: 'Ask from a full month to a full month (UTC), or from that time on.',
} as const;

function expired(from: number, what: keyof typeof HINTS): StoreError {
  const since = new Date(from).toISOString();
  return new StoreError('samples_expired', `${what} before ${since} are no longer kept`, HINTS[what]);
}
