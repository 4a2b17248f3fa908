import { BucketCounts } from '../../../shared/statistics/bucket-counts.ts';
import { bucketOf } from '../../../shared/statistics/sketch-buckets.ts';
import type { BucketRun, SketchState } from '../../../shared/statistics/sketch-distribution.ts';
import { addSquare, addSquareSum, repeatedSquare } from '../../../shared/statistics/square-sum.ts';

/** Room is made by octaves of this many buckets: one to spare below, and above as many as the next cell may reach. */
const OCTAVE = 64;
const SPARE_ABOVE = 4 * OCTAVE;
/** Counts of 32 bits end here and would wrap unseen. */
const MAX_NARROW = 2 ** 31 - 1;

/**
 * A sketch that a query adds up packs in: the same numbers as `Sketch`, laid out for that one loop. Room for all buckets
 * of a cell is made before they are read, so that counting them is an addition and nothing else.
 */
export class GroupSketch {
  n = 0;
  sum = 0;
  min = Number.POSITIVE_INFINITY;
  max = Number.NEGATIVE_INFINITY;
  readonly squares = { hi: 0, lo: 0 };
  /** Counts of values ≥ 0, from bucket `first` on. */
  counts: Int32Array | Float64Array = new Int32Array(0);
  first = 0;
  /** Of the sizes of values below 0: few have any. */
  negative: BucketCounts | null = null;

  /** @param value whole µs */
  add(value: number): void {
    this.n++;
    this.sum += value;
    if (value < this.min) this.min = value;
    if (value > this.max) this.max = value;
    addSquare(this.squares, value);
    if (value < 0) this.below().increment(bucketOf(-value), 1);
    else {
      const bucket = bucketOf(value);
      const at = bucket - this.first;
      if (at >= 0 && at < this.counts.length && this.n <= MAX_NARROW) {
        this.counts[at] = (this.counts[at] as number) + 1;
      } else {
        this.cover(bucket, bucket, this.n);
        this.counts[bucket - this.first] = (this.counts[bucket - this.first] as number) + 1;
      }
    }
  }

  /** Counts of a sketch from elsewhere; its buckets have to be added by the caller, into room that is there afterwards. */
  addTotals(n: number, sum: number, hi: number, lo: number, min: number, max: number): void {
    this.n += n;
    this.sum += sum;
    addSquareSum(this.squares, { hi, lo });
    if (min < this.min) this.min = min;
    if (max > this.max) this.max = max;
    if (max >= 0) this.cover(bucketOf(Math.max(0, min)), bucketOf(max), this.n);
  }

  below(): BucketCounts {
    this.negative ??= new BucketCounts();
    return this.negative;
  }

  /** Room for buckets from `low` to `high`, and for counts up to `n`. */
  private cover(low: number, high: number, n: number): void {
    const { counts, first } = this;
    const wide = n > MAX_NARROW && counts instanceof Int32Array;
    if (!wide && low >= first && high < first + counts.length) return;
    const used = counts.length > 0;
    const from = used && low >= first ? first : Math.max(0, low - (low % OCTAVE) - OCTAVE);
    const to = used && high < first + counts.length ? first + counts.length : high - (high % OCTAVE) + SPARE_ABOVE;
    const grown = n > MAX_NARROW ? new Float64Array(to - from) : new Int32Array(to - from);
    if (used) grown.set(counts, first - from);
    this.counts = grown;
    this.first = from;
  }
}

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
export function mergeSketches(parts: readonly PlainSketch[], more: readonly Weighted[]): PlainSketch {
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
