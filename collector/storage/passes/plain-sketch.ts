import { bucketOf } from '../../../shared/statistics/sketch-buckets.ts';
import type { BucketRun, SketchState } from '../../../shared/statistics/sketch-distribution.ts';
import { addSquareSum, repeatedSquare } from '../../../shared/statistics/square-sum.ts';
import { type GroupSketch, MAX_NARROW } from '../rollups/group-sketch.ts';

/** A sketch without its methods, as it goes from one thread to another. */
export type PlainSketch = SketchState;

/** A value, and how often it occurs. */
export type Weighted = readonly [value: number, count: number];

const NO_COUNTS: BucketRun = { first: 0, counts: new Int32Array(0) };

/** The counts lie where they were counted: nothing may be added to the sketch any more. */
export function toPlainSketch({ n, sum, min, max, squares, counts, first, negative }: GroupSketch): PlainSketch {
  return { n, sum, min, max, squares, positive: { first, counts }, negative: negative?.run() ?? NO_COUNTS };
}

/** All of them, and some more values, as one. */
export function mergePlainSketches(parts: readonly PlainSketch[], more: readonly Weighted[]): PlainSketch {
  const added = more.filter(([, count]) => count > 0);
  const total = { n: 0, sum: 0, min: Number.POSITIVE_INFINITY, max: Number.NEGATIVE_INFINITY };
  const squares = { hi: 0, lo: 0 };
  const note = (n: number, sum: number, min: number, max: number) => {
    total.n += n;
    total.sum += sum;
    total.min = Math.min(total.min, min);
    total.max = Math.max(total.max, max);
  };
  for (const { n, sum, min, max, squares: own } of parts) {
    note(n, sum, min, max);
    addSquareSum(squares, own);
  }
  for (const [value, count] of added) {
    note(count, value * count, value, value);
    addSquareSum(squares, repeatedSquare(value, count));
  }
  const sided = (side: 'positive' | 'negative', isOn: (value: number) => boolean) =>
    mergeRuns(
      parts.map((part) => part[side]),
      added.flatMap(([value, count]) => (isOn(value) ? [[bucketOf(Math.abs(value)), count] as const] : [])),
      total.n,
    );
  return {
    ...total,
    squares,
    positive: sided('positive', (value) => value >= 0),
    negative: sided('negative', (value) => value < 0),
  };
}

/** @param more buckets with a count each @param n no count is larger */
function mergeRuns(runs: readonly BucketRun[], more: readonly Weighted[], n: number): BucketRun {
  let from = Number.POSITIVE_INFINITY;
  let to = 0;
  const cover = (first: number, end: number) => {
    if (first < end) from = Math.min(from, first);
    to = Math.max(to, end);
  };
  for (const { first, counts } of runs) if (counts.length > 0) cover(first, first + counts.length);
  for (const [bucket] of more) cover(bucket, bucket + 1);
  if (from >= to) return NO_COUNTS;
  const merged = n > MAX_NARROW ? new Float64Array(to - from) : new Int32Array(to - from);
  for (const { first, counts } of runs) {
    const shift = first - from;
    for (let i = 0; i < counts.length; i++) {
      merged[i + shift] = (merged[i + shift] as number) + (counts[i] as number);
    }
  }
  for (const [bucket, count] of more) merged[bucket - from] = (merged[bucket - from] as number) + count;
  return { first: from, counts: merged };
}
