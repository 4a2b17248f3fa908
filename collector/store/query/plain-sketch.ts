import type { BucketCounts } from '../../../shared/statistics/bucket-counts.ts';
import type { Distribution } from '../../../shared/statistics/distribution.ts';
import { Sketch } from '../../../shared/statistics/sketch.ts';
import { bucketMiddle } from '../../../shared/statistics/sketch-buckets.ts';
import { squareSumValue } from '../../../shared/statistics/square-sum.ts';
import { once } from '../chunk/once.ts';
import type { GroupSketch } from '../pack/group-sketch.ts';

/** A sketch without its methods, as it goes from one thread to another. */
export interface PlainSketch {
  readonly n: number;
  readonly sum: number;
  readonly min: number;
  readonly max: number;
  readonly hi: number;
  readonly lo: number;
  /** Counts of values ≥ 0, from bucket `first` on. */
  readonly first: number;
  readonly counts: Int32Array | Float64Array;
  /** Pairs of a bucket and its count, of the sizes of values below 0. */
  readonly negative: Float64Array;
}

const NO_PAIRS = new Float64Array(0);

/** A copy of no more than what is occupied: the room around it is given back. */
export function toPlainSketch({ n, sum, min, max, squares, counts, first, negative }: GroupSketch): PlainSketch {
  let from = 0;
  let to = counts.length;
  while (from < to && counts[from] === 0) from++;
  while (to > from && counts[to - 1] === 0) to--;
  const below = negative === null ? NO_PAIRS : pairsOf(negative);
  return { n, sum, min, max, ...squares, first: first + from, counts: counts.slice(from, to), negative: below };
}

export function fromPlainSketch({ n, sum, min, max, hi, lo, first, counts, negative }: PlainSketch): Sketch {
  const sketch = new Sketch();
  Object.assign(sketch, { n, sum, min, max });
  Object.assign(sketch.squares, { hi, lo });
  // The last one first: room for all is made at once.
  for (let at = counts.length - 1; at >= 0; at--) {
    const count = counts[at] as number;
    if (count > 0) sketch.positive.increment(first + at, count);
  }
  for (let i = 0; i < negative.length; i += 2) {
    sketch.negative.increment(negative[i] as number, negative[i + 1] as number);
  }
  return sketch;
}

/** What a sketch says, without making it one again unless more than quantiles are asked for. */
export function plainSketchDistribution(plain: PlainSketch): Distribution {
  const { n, sum, min, max, hi, lo } = plain;
  const whole = once(() => fromPlainSketch(plain).build());
  return {
    n,
    sum,
    sumSquares: squareSumValue({ hi, lo }),
    min: n === 0 ? null : min,
    max: n === 0 ? null : max,
    exact: false,
    valueAtRank(rank) {
      if (!(rank >= 0 && rank < n)) throw new RangeError(`Rank ${rank} is outside of ${n} values.`);
      if (rank === 0) return min;
      if (rank === n - 1) return max;
      return Math.min(max, Math.max(min, middleAt(plain, rank)));
    },
    countAbove: (threshold) => whole().countAbove(threshold),
    sumOfLargest: (k) => whole().sumOfLargest(k),
    bins: () => whole().bins(),
  };
}

/** Middle of the bucket that a rank falls into, smallest values first. */
function middleAt({ first, counts, negative }: PlainSketch, rank: number): number {
  let left = rank;
  for (let i = negative.length - 2; i >= 0; i -= 2) {
    left -= negative[i + 1] as number;
    if (left < 0) return -bucketMiddle(negative[i] as number);
  }
  let at = 0;
  while (left >= (counts[at] as number)) left -= counts[at++] as number;
  return bucketMiddle(first + at);
}

function pairsOf(counts: BucketCounts): Float64Array {
  const pairs: number[] = [];
  counts.forEach((bucket, count) => void pairs.push(bucket, count));
  return Float64Array.from(pairs);
}
