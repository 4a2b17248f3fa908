import type { Database } from 'better-sqlite3';
import type { TimeRange } from '../../../shared/vocabulary/dimensions.ts';
import { planRange, type RangePlan } from '../passes/plan-range.ts';
import type { ReadFrom } from '../passes/question-jobs.ts';
import { bucketOf, bucketStart, RESOLUTIONS, type Resolution } from '../rollups/resolutions.ts';
import { StoreError } from '../store-error.ts';

/**
 * Plans how ranges are read from a database. Throws StoreError `samples_expired` if the data are no longer kept at the
 * required resolution.
 *
 * @returns a function that plans disjoint ranges, given in order
 */
export function createStoredPlan(database: Database): (parts: readonly TimeRange[], from: ReadFrom) => RangePlan {
  const whole = database
    .prepare<[number, number], number | null>(
      'SELECT 1 FROM bucket WHERE level = ? AND bucket = ? AND stale_since IS NULL',
    )
    .pluck();
  const storedExtent = createRollupRange(database);
  const later = database
    .prepare<[number, number], number>(
      'SELECT 1 FROM chunk WHERE t0 < ? AND t1 >= ? AND id NOT IN (SELECT chunk FROM pending) LIMIT 1',
    )
    .pluck();
  const samplesFrom = database.prepare<[], number>('SELECT samples_from FROM state').pluck();

  const refuseExpired = createExpiryCheck(database);
  const isWhole = (resolution: 'day' | 'month', bucket: number) =>
    whole.get(RESOLUTIONS[resolution], bucket) !== undefined;

  /**
   * Most questions end now, inside an hour without later samples. Its rollup then holds nothing else and saves reading its
   * samples one by one. Samples that arrived since are pending and read anyway.
   */
  function toWholeHour({ from, to }: TimeRange): TimeRange {
    const end = bucketStart('hour', Math.ceil(to / bucketStart('hour', 1)));
    // For expired samples it is unknown whether they were before or after `to`.
    const known = to >= (samplesFrom.get() ?? 0);
    return known && later.get(end, to) === undefined ? { from, to: end } : { from, to };
  }

  /** Exact values exist by day only; the rest is read from samples. */
  function planExact(range: TimeRange): RangePlan {
    const { segments, edges } = planRange(
      range,
      (resolution, bucket) => resolution === 'day' && isWhole(resolution, bucket),
    );
    const days = segments.filter(({ resolution }) => resolution === 'day');
    const rest = segments.filter(({ resolution }) => resolution === 'hour');
    const hours = rest.map(({ bucket }) => ({
      from: bucketStart('hour', bucket),
      to: bucketStart('hour', bucket + 1),
    }));
    return { segments: days, edges: joined([...edges, ...hours]) };
  }

  return (parts, from) => {
    const stored = storedExtent();
    const plans = parts.map((part): RangePlan => {
      if (from === 'samples') return { segments: [], edges: [part] };
      const range = stored === null ? { from: part.from, to: part.from } : within(part, stored);
      if (from === 'values') return planExact(range);
      // Only the last range may be extended.
      return planRange(part === parts.at(-1) ? toWholeHour(range) : range, isWhole);
    });
    const plan = {
      segments: plans.flatMap(({ segments }) => segments),
      edges: plans.flatMap(({ edges }) => edges),
    };
    refuseExpired(plan, from === 'values');
    return plan;
  };
}

/** The extent of all rollups, so that plans need not cover all time; null if there are none. */
function createRollupRange(database: Database): () => TimeRange | null {
  const extent = database.prepare<[number], { first: number | null; last: number | null }>(
    'SELECT min(bucket) AS first, max(bucket) AS last FROM bucket WHERE level = ?',
  );
  return () => {
    const spans = (['hour', 'day', 'month'] as const).flatMap((resolution) => {
      const { first, last } = extent.get(RESOLUTIONS[resolution]) ?? { first: null, last: null };
      return first === null || last === null
        ? []
        : [{ from: bucketStart(resolution, first), to: bucketStart(resolution, last + 1) }];
    });
    return around(spans);
  };
}

/** From the first sample or rollup to the end of the newest. */
export function createKeptRange(database: Database): () => TimeRange | null {
  const rollups = createRollupRange(database);
  const chunks = database.prepare<[], { first: number | null; last: number | null }>(
    'SELECT min(t0) AS first, max(t1) AS last FROM chunk',
  );
  return () => {
    const { first, last } = chunks.get() ?? { first: null, last: null };
    const samples = first === null || last === null ? [] : [{ from: first, to: last + 1 }];
    return around([...samples, ...[rollups()].flatMap((range) => range ?? [])]);
  };
}

function around(ranges: readonly TimeRange[]): TimeRange | null {
  if (ranges.length === 0) return null;
  return { from: Math.min(...ranges.map(({ from }) => from)), to: Math.max(...ranges.map(({ to }) => to)) };
}

function within({ from, to }: TimeRange, stored: TimeRange): TimeRange {
  const start = Math.max(from, stored.from);
  return { from: start, to: Math.max(start, Math.min(to, stored.to)) };
}

/** Joins adjacent ranges. */
function joined(ranges: readonly TimeRange[]): TimeRange[] {
  const result: { from: number; to: number }[] = [];
  for (const { from, to } of [...ranges].sort((a, b) => a.from - b.from)) {
    const last = result.at(-1);
    if (last !== undefined && last.to === from) last.to = to;
    else result.push({ from, to });
  }
  return result;
}

/**
 * Checks that everything a plan reads is still kept at its resolution. Otherwise throws StoreError `samples_expired`: an
 * incomplete answer would look like any other.
 *
 * @returns checks a plan; `exact` plans read days value by value
 */
function createExpiryCheck(database: Database): (plan: RangePlan, exact: boolean) => void {
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
  /** The start of the first bucket of a resolution; if none is left, the end of the coarser one. */
  const keptFrom = (fine: 'hour' | 'day', coarse: 'day' | 'month'): number => {
    const { first } = extent.get(RESOLUTIONS[fine]) ?? { first: null };
    if (first !== null) return bucketStart(fine, first);
    const { last } = extent.get(RESOLUTIONS[coarse]) ?? { last: null };
    return last === null ? 0 : bucketStart(coarse, last + 1);
  };
  /** Whether the enclosing coarser buckets hold more samples than the finer ones: a missing bucket may just be empty. */
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

/** Possible alternatives. */
const HINTS = {
  samples: 'Request whole hours without exact values, or a range from that time on.',
  hours: 'Request whole days (UTC), or a range from that time on.',
  days: 'Request whole months (UTC), or a range from that time on.',
} as const;

function expired(from: number, what: keyof typeof HINTS): StoreError {
  const since = new Date(from).toISOString();
  return new StoreError('samples_expired', `${what} before ${since} are no longer kept`, HINTS[what]);
}
