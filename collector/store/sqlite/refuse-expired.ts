import type { Database } from 'better-sqlite3';
import type { RangePlan } from '../query/plan-range.ts';
import { bucketOf, bucketStart, LEVELS, type Level } from '../rollup/time-buckets.ts';
import { StoreError } from '../store-error.ts';

/**
 * Finds out whether what a plan wants to read finely is still kept so finely. Throws StoreError `samples_expired` where
 * it is not: an answer with a part missing would look like any other.
 *
 * @returns check of a plan; `exact` plans read days value by value
 */
export function createExpiryCheck(database: Database): (plan: RangePlan, exact: boolean) => void {
  const samplesFrom = database.prepare<[], number>('SELECT samples_from FROM state').pluck();
  const firstHour = database.prepare<[number], number | null>('SELECT min(bucket) FROM bucket WHERE level = ?').pluck();
  const samples = database
    .prepare<[number, number, number], number>(
      'SELECT coalesce(sum(n), 0) FROM bucket WHERE level = ? AND bucket >= ? AND bucket <= ?',
    )
    .pluck();
  const inBuckets = (level: Level, from: number, to: number) =>
    samples.get(LEVELS[level], bucketOf(level, from), bucketOf(level, to - 1)) ?? 0;
  const anyIn = (level: Level, from: number, to: number) => inBuckets(level, from, to) > 0;
  /** Whether the days around hold more than their hours do. An hour without a bucket may just have had no samples. */
  const hoursPruned = (from: number, to: number) => {
    const start = bucketStart('day', bucketOf('day', from));
    const end = bucketStart('day', bucketOf('day', to - 1) + 1);
    return inBuckets('day', start, end) > inBuckets('hour', start, end);
  };

  return ({ segments, edges }, exact) => {
    const kept = samplesFrom.get() ?? 0;
    if (kept === 0) return;
    const hoursFrom = bucketStart('hour', firstHour.get(LEVELS.hour) ?? 0);
    for (const { from, to } of edges) {
      if (from >= kept) continue;
      const end = Math.min(to, kept);
      if (anyIn('hour', from, end) || (from < hoursFrom && hoursPruned(from, end))) throw expired(kept, 'samples');
    }
    for (const { level, bucket } of segments) {
      const from = bucketStart(level, bucket);
      const to = bucketStart(level, bucket + 1);
      if (exact && from < kept && anyIn(level, from, to)) throw expired(kept, 'samples');
      if (level === 'hour' && from < hoursFrom && hoursPruned(from, to)) throw expired(hoursFrom, 'hours');
    }
  };
}

function expired(from: number, what: 'samples' | 'hours'): StoreError {
  const since = new Date(from).toISOString();
  return new StoreError(
    'samples_expired',
    `${what} before ${since} are no longer kept`,
    what === 'samples'
      ? 'Ask from a full hour to a full hour and not exactly, or from that time on.'
      : 'Ask from a full day to a full day (UTC), or from that time on.',
  );
}
