import { BucketCounts } from '../../../shared/statistics/bucket-counts.ts';
import { bucketOf } from '../../../shared/statistics/sketch-buckets.ts';
import { addSquare, addSquareSum } from '../../../shared/statistics/square-sum.ts';

/** Room is made by octaves of this many buckets: one to spare below, and above as many as the next cell may reach. */
const OCTAVE = 64;
const SPARE_ABOVE = 4 * OCTAVE;
/** Counts of 32 bits end here and would wrap unseen. */
export const MAX_NARROW = 2 ** 31 - 1;

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
