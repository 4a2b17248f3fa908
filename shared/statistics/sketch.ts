import { BucketCounts } from './bucket-counts.ts';
import type { Distribution, DistributionBuilder } from './distribution.ts';
import { MAX_SKETCH_VALUE, toBucket } from './sketch-buckets.ts';
import { type BucketRun, type SketchState, sketchDistribution } from './sketch-distribution.ts';
import { addSquare, addSquareSum, repeatedSquare, type SquareSum } from './square-sum.ts';

/** Buckets are covered by octaves: with one spare octave below, and above as far as the next cell may reach. */
const OCTAVE = 64;
const SPARE_ABOVE = 4 * OCTAVE;
/** Larger counts would silently wrap in 32 bits. */
const MAX_NARROW = 2 ** 31 - 1;
const NO_COUNTS: BucketRun = { first: 0, counts: new Int32Array(0) };

/**
 * A histogram of whole microseconds whose quantiles are within SKETCH_BOUND and whose count, sum, sum of squares, min and
 * max are exact. Merging is associative and commutative to the last bit, since only integers are added: hours form days and
 * days form months in any order. Negative values (differences) are mirrored.
 *
 * The buckets between min and max are covered before they are counted, so that merging is additions only.
 */
export class Sketch implements DistributionBuilder {
  n = 0;
  /** Exact below 2⁵³ µs: 285 years of waiting. */
  sum = 0;
  min = Number.POSITIVE_INFINITY;
  max = Number.NEGATIVE_INFINITY;
  readonly squares: SquareSum = { hi: 0, lo: 0 };
  /** Counts of values ≥ 0, from bucket `first` on. */
  counts: Int32Array | Float64Array = new Int32Array(0);
  first = 0;
  /** Counts of the absolute values of negative ones, which are rare. */
  private negative: BucketCounts | null = null;

  /** @param value whole µs, at most 38 hours either way; anything else is a caller's mistake and throws */
  add(value: number): void {
    if ((value | 0) !== value) checkWide(value);
    this.n++;
    this.sum += value;
    if (value < this.min) this.min = value;
    if (value > this.max) this.max = value;
    addSquare(this.squares, value);
    if (value < 0) {
      this.below().increment(toBucket(-value), 1);
      return;
    }
    const bucket = toBucket(value);
    const at = bucket - this.first;
    if (!(at >= 0 && at < this.counts.length && this.n <= MAX_NARROW)) this.cover(bucket, bucket);
    this.counts[bucket - this.first] = (this.counts[bucket - this.first] as number) + 1;
  }

  /** Adds a value `times` times. */
  addRepeated(value: number, times: number): void {
    if (times === 0) return;
    const { hi, lo } = repeatedSquare(value, times);
    this.addTotals(times, value * times, hi, lo, value, value);
    if (value < 0) this.below().increment(toBucket(-value), times);
    else this.counts[toBucket(value) - this.first] = (this.counts[toBucket(value) - this.first] as number) + times;
  }

  /** Adds another sketch, which is unchanged. */
  merge({ n, sum, squares, min, max, positive, negative }: SketchState): void {
    if (n === 0) return;
    this.addTotals(n, sum, squares.hi, squares.lo, min, max);
    const { counts } = this;
    const shift = positive.first - this.first;
    for (let i = 0; i < positive.counts.length; i++) {
      const count = positive.counts[i] as number;
      if (count > 0) counts[i + shift] = (counts[i + shift] as number) + count;
    }
    for (let i = 0; i < negative.counts.length; i++) {
      const count = negative.counts[i] as number;
      if (count > 0) this.below().increment(negative.first + i, count);
    }
  }

  /** Adds the totals of another sketch and covers its buckets, whose counts the caller has to add. */
  addTotals(n: number, sum: number, hi: number, lo: number, min: number, max: number): void {
    this.n += n;
    this.sum += sum;
    addSquareSum(this.squares, { hi, lo });
    if (min < this.min) this.min = min;
    if (max > this.max) this.max = max;
    if (max >= 0) this.cover(toBucket(Math.max(0, min)), toBucket(max));
  }

  below(): BucketCounts {
    this.negative ??= new BucketCounts();
    return this.negative;
  }

  /** The values added so far; later additions do not change it. */
  build(): Distribution {
    const { squares, positive, ...state } = this.state();
    return sketchDistribution({
      ...state,
      squares: { ...squares },
      positive: { first: positive.first, counts: this.counts.slice() },
    });
  }

  /** Plain data that shares the sketch's arrays: nothing may be added to the sketch afterwards. */
  state(): SketchState {
    const { n, sum, min, max, squares, counts, first, negative } = this;
    return { n, sum, min, max, squares, positive: { first, counts }, negative: negative?.run() ?? NO_COUNTS };
  }

  private cover(low: number, high: number): void {
    const { counts, first, n } = this;
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

/**
 * The same values in buckets, for statistics that must not depend on which of the two they are computed from. Without those
 * that no sketch can hold: pauses between requests may last a weekend.
 */
export function asSketch(distribution: Distribution): Distribution {
  if (!distribution.exact) return distribution;
  const sketch = new Sketch();
  for (let rank = 0; rank < distribution.n; rank++) {
    const value = distribution.valueAtRank(rank);
    if (value > MAX_SKETCH_VALUE) break;
    sketch.add(value);
  }
  return sketchDistribution(sketch.state());
}

/** Throws a RangeError for a value that no sketch takes. */
export function checkWide(value: number): void {
  if (!Number.isInteger(value)) throw new RangeError(`A sketch takes whole microseconds, not ${value}.`);
  if (Math.abs(value) > MAX_SKETCH_VALUE) throw new RangeError(`${value} µs is longer than a sketch can hold.`);
}
