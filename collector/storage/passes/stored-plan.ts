import type { TimeRange } from '../../../shared/vocabulary/dimensions.ts';
import { bucketAt, bucketStart } from '../rollups/resolutions.ts';
import { StoreError } from '../store-error.ts';
import { type IsWhole, type Kept, planRange, type RangePlan, type Segment } from './plan-range.ts';
import type { ReadFrom } from './question-jobs.ts';

type RollupResolution = Segment['resolution'];

/** What an engine knows of its rollups. */
export interface StoredFacts {
  /** Samples before this time (epoch ms) were removed. */
  samplesFrom(): number;
  readonly isWhole: IsWhole;
  /** The first and the last bucket of a resolution; null if there are none. */
  extent(resolution: RollupResolution): { readonly first: number; readonly last: number } | null;
  /** How many samples the rollups of these buckets have. @param last inclusive */
  samplesIn(resolution: RollupResolution, first: number, last: number): number;
  /** Whether rollups have samples in this part of an hour. */
  hasSamples(from: number, to: number): boolean;
}

/**
 * Plans how disjoint ranges, given in order, are read. Throws StoreError `samples_expired` if the data are no longer kept at
 * the required resolution.
 */
export function planStored(facts: StoredFacts, parts: readonly TimeRange[], from: ReadFrom): RangePlan {
  const stored = rollupRange(facts);
  const plans = parts.map((part): RangePlan => {
    if (from === 'samples') return { segments: [], edges: [part] };
    const range = stored === null ? { from: part.from, to: part.from } : within(part, stored);
    if (from === 'values') return planExact(facts, range);
    // Only the last range may be extended.
    return planRange(part === parts.at(-1) ? toWholeHour(facts, range) : range, facts.isWhole);
  });
  const plan = {
    segments: plans.flatMap(({ segments }) => segments),
    edges: plans.flatMap(({ edges }) => edges),
  };
  refuseExpired(facts, plan, from === 'values');
  return plan;
}

/** The extent of all rollups, so that plans need not cover all time; null if there are none. */
export function rollupRange(facts: StoredFacts): TimeRange | null {
  const spans = (['hour', 'day', 'month'] as const).flatMap((resolution) => {
    const extent = facts.extent(resolution);
    return extent === null
      ? []
      : [{ from: bucketStart(resolution, extent.first), to: bucketStart(resolution, extent.last + 1) }];
  });
  return around(spans);
}

/** From the first sample or rollup to the end of the newest; null if there is none. @param samples extent of those stored */
export function keptRange(facts: StoredFacts, samples: TimeRange | null): Kept | null {
  const whole = around([samples, rollupRange(facts)].flatMap((range) => range ?? []));
  if (whole === null) return null;
  const hours = facts.extent('hour');
  return {
    ...whole,
    // A day of which nothing was removed is a whole one, even if its first sample came in the morning.
    samples: samples === null ? null : { from: facts.samplesFrom() || samples.from, to: samples.to },
    hours: hours === null ? null : { from: bucketStart('hour', hours.first), to: bucketStart('hour', hours.last + 1) },
  };
}

function around(ranges: readonly TimeRange[]): TimeRange | null {
  if (ranges.length === 0) return null;
  return { from: Math.min(...ranges.map(({ from }) => from)), to: Math.max(...ranges.map(({ to }) => to)) };
}

/**
 * Most questions end now, inside an hour without later samples. Its rollup then holds nothing else and saves reading its
 * samples one by one. Samples that arrived since are pending and read anyway.
 */
function toWholeHour({ samplesFrom, hasSamples }: StoredFacts, { from, to }: TimeRange): TimeRange {
  const end = bucketStart('hour', Math.ceil(to / bucketStart('hour', 1)));
  // For expired samples it is unknown whether they were before or after `to`.
  const known = to >= samplesFrom();
  return known && !hasSamples(to, end) ? { from, to: end } : { from, to };
}

/** Exact values exist by day only; the rest is read from samples. */
function planExact({ isWhole }: StoredFacts, range: TimeRange): RangePlan {
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

function within({ from, to }: TimeRange, stored: TimeRange): TimeRange {
  const start = Math.max(from, stored.from);
  return { from: start, to: Math.max(start, Math.min(to, stored.to)) };
}

/** In order; those that touch or overlap as one. */
export function joined(ranges: readonly TimeRange[]): TimeRange[] {
  const result: { from: number; to: number }[] = [];
  for (const { from, to } of [...ranges].sort((a, b) => a.from - b.from)) {
    const last = result.at(-1);
    if (last !== undefined && last.to >= from) last.to = Math.max(last.to, to);
    else result.push({ from, to });
  }
  return result;
}

/**
 * Checks that everything a plan reads is still kept at its resolution: an incomplete answer would look like any other.
 * @param exact reads days value by value
 */
function refuseExpired(
  { samplesFrom, extent, samplesIn }: StoredFacts,
  { segments, edges }: RangePlan,
  exact: boolean,
): void {
  const kept = samplesFrom();
  if (kept === 0) return;
  const inBuckets = (resolution: RollupResolution, from: number, to: number) =>
    samplesIn(resolution, bucketAt(resolution, from), bucketAt(resolution, to - 1));
  const anyIn = (resolution: RollupResolution, from: number, to: number) => inBuckets(resolution, from, to) > 0;
  /** The start of the first bucket of a resolution; if none is left, the end of the coarser one. */
  const keptFrom = (fine: 'hour' | 'day', coarse: 'day' | 'month'): number => {
    const own = extent(fine);
    if (own !== null) return bucketStart(fine, own.first);
    const coarser = extent(coarse);
    return coarser === null ? 0 : bucketStart(coarse, coarser.last + 1);
  };
  /** Whether the enclosing coarser buckets hold more samples than the finer ones: a missing bucket may just be empty. */
  const pruned = (fine: 'hour' | 'day', coarse: 'day' | 'month', from: number, to: number) => {
    const start = bucketStart(coarse, bucketAt(coarse, from));
    const end = bucketStart(coarse, bucketAt(coarse, to - 1) + 1);
    return inBuckets(coarse, start, end) > inBuckets(fine, start, end);
  };

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
