import type { TimeRange } from '../../../shared/vocabulary/dimensions.ts';
import { bucketAt, bucketStart, type Resolution } from '../rollups/resolutions.ts';

/** The parts of a range that count, disjoint and in order, such as its business hours; null for all of it. */
export type Within = readonly TimeRange[] | null;

/** What is kept, in which detail; null if nothing is. */
export interface Kept extends TimeRange {
  readonly samples: TimeRange | null;
  readonly hours: TimeRange | null;
}

export interface StepRange {
  readonly range: TimeRange;
  readonly within: Within;
}

/** The intersection of those parts with a range; null if all of it counts. */
export function withinPart({ from, to }: TimeRange, within: Within): Within {
  if (within === null) return null;
  return within
    .map((part) => ({ from: Math.max(part.from, from), to: Math.min(part.to, to) }))
    .filter((part) => part.from < part.to);
}

export interface Segment {
  readonly resolution: 'hour' | 'day' | 'month';
  readonly bucket: number;
}

export interface RangePlan {
  /** Buckets that lie wholly inside, as coarse as available. */
  readonly segments: readonly Segment[];
  /** The rest at the edges, to be read sample by sample. */
  readonly edges: readonly TimeRange[];
}

/**
 * Open ranges round up to the hour so that its rollup can be used. An answer that had to wait then includes samples that
 * arrived meanwhile, and the hour need not be read sample by sample to leave them out.
 */
export function answeredRange({ from, to, open = false }: TimeRange): TimeRange {
  return { from, to: open ? bucketStart('hour', bucketAt('hour', to) + 1) : to };
}

/** Whether a day or a month has an up-to-date rollup. */
export type IsWhole = (resolution: 'day' | 'month', bucket: number) => boolean;

/**
 * Covers a range with as few rollups as possible: whole months, whole days around them, whole hours around those. Hours
 * always exist, since every rolled-up sample is in one. Every moment of the range is in exactly one part.
 */
export function planRange({ from, to }: TimeRange, isWhole: IsWhole): RangePlan {
  const segments: Segment[] = [];
  const edges: TimeRange[] = [];
  const firstHour = Math.ceil(from / bucketStart('hour', 1));
  const endHour = bucketAt('hour', to);
  if (from >= to) return { segments, edges };
  if (firstHour >= endHour) return { segments, edges: [{ from, to }] };

  const start = bucketStart('hour', firstHour);
  const end = bucketStart('hour', endHour);
  if (from < start) edges.push({ from, to: start });
  for (let at = start; at < end; ) {
    const segment = COARSE_TO_FINE.map((resolution) => ({ resolution, bucket: bucketAt(resolution, at) })).find(
      ({ resolution, bucket }) =>
        bucketStart(resolution, bucket) === at &&
        bucketStart(resolution, bucket + 1) <= end &&
        (resolution === 'hour' || isWhole(resolution, bucket)),
    );
    if (segment === undefined) throw new RangeError(`No hour begins at ${at}.`);
    segments.push(segment);
    at = bucketStart(segment.resolution, segment.bucket + 1);
  }
  if (end < to) edges.push({ from: end, to });
  return { segments, edges };
}

const COARSE_TO_FINE = ['month', 'day', 'hour'] as const satisfies readonly Resolution[];
