import { BucketCounts } from './bucket-counts.ts';
import type { Distribution, DistributionBuilder } from './distribution.ts';
import { bucketOf, MAX_SKETCH_VALUE } from './sketch-buckets.ts';
import { type SketchState, sketchDistribution } from './sketch-distribution.ts';
import { addSquare, addSquareSum, type SquareSum } from './square-sum.ts';

/**
 * A histogram of whole microseconds whose quantiles are within SKETCH_BOUND and whose count, sum, sum of squares, min and
 * max are exact. Merging is associative and commutative to the last bit, since only integers are added: hours form days and
 * days form months in any order. Negative values (differences) are mirrored.
 */
export class Sketch implements DistributionBuilder {
  n = 0;
  /** Exact below 2⁵³ µs: 285 years of waiting. */
  sum = 0;
  min = Number.POSITIVE_INFINITY;
  max = Number.NEGATIVE_INFINITY;
  readonly squares: SquareSum = { hi: 0, lo: 0 };
  /** Counts of values ≥ 0, and of the absolute values of negative ones. */
  readonly positive = new BucketCounts();
  readonly negative = new BucketCounts();

  /** @param value whole µs, at most 38 hours either way; anything else is a caller's mistake and throws */
  add(value: number): void {
    if ((value | 0) !== value) checkWide(value);
    this.n++;
    this.sum += value;
    if (value < this.min) this.min = value;
    if (value > this.max) this.max = value;
    addSquare(this.squares, value);
    if (value >= 0) this.positive.increment(bucketOf(value), 1);
    else this.negative.increment(bucketOf(-value), 1);
  }

  /** Adds the other sketch, which is unchanged. */
  merge(other: Sketch): void {
    this.n += other.n;
    this.sum += other.sum;
    this.min = Math.min(this.min, other.min);
    this.max = Math.max(this.max, other.max);
    addSquareSum(this.squares, other.squares);
    this.positive.merge(other.positive);
    this.negative.merge(other.negative);
  }

  /** The values added so far; later additions do not change it. */
  build(): Distribution {
    return sketchDistribution(this.state());
  }

  /** The same as plain data. */
  state(): SketchState {
    const { n, sum, min, max, positive, negative } = this;
    const squares = { ...this.squares };
    return { n, sum, min, max, squares, positive: positive.run(), negative: negative.run() };
  }
}

export function sketchOf(values: Iterable<number>): Sketch {
  const sketch = new Sketch();
  for (const value of values) sketch.add(value);
  return sketch;
}

function checkWide(value: number): void {
  if (!Number.isInteger(value)) throw new RangeError(`A sketch takes whole microseconds, not ${value}.`);
  if (Math.abs(value) > MAX_SKETCH_VALUE) throw new RangeError(`${value} µs is longer than a sketch can hold.`);
}
