import type { BucketCounts } from '../../../shared/statistics/bucket-counts.ts';
import type { Distribution } from '../../../shared/statistics/distribution.ts';
import { Sketch } from '../../../shared/statistics/sketch.ts';

import { bucketMiddle } from '../../../shared/statistics/sketch-buckets.ts';
import { squareSumValue } from '../../../shared/statistics/square-sum.ts';
import { once } from '../chunk/once.ts';

/** A sketch without its methods, as it goes from one thread to another. */
export interface PlainSketch {
  readonly n: number;
  readonly sum: number;
  readonly min: number;
  readonly max: number;
  readonly hi: number;
  readonly lo: number;
  /** Pairs of a bucket and its count. */
  readonly positive: Float64Array;
  readonly negative: Float64Array;
}

export function toPlainSketch({ n, sum, min, max, squares, positive, negative }: Sketch): PlainSketch {
  return { n, sum, min, max, ...squares, positive: pairsOf(positive), negative: pairsOf(negative) };
}

export function fromPlainSketch({ n, sum, min, max, hi, lo, positive, negative }: PlainSketch): Sketch {
  const sketch = new Sketch();
  Object.assign(sketch, { n, sum, min, max });
  Object.assign(sketch.squares, { hi, lo });
  addPairs(sketch.positive, positive);
  addPairs(sketch.negative, negative);
  return sketch;
}

/** What a sketch says, without making it one again unless more than quantiles are asked for. */
export function plainSketchDistribution(plain: PlainSketch): Distribution {
  const { n, sum, min, max, hi, lo } = plain;
  const whole = once(() => fromPlainSketch(plain).build());
  const upTo = once(() => countsUpTo(plain));
  const negatives = plain.negative.length / 2;

  function valueAtRank(rank: number): number {
    if (!(rank >= 0 && rank < n)) throw new RangeError(`Rank ${rank} is outside of ${n} values.`);
    if (rank === 0) return min;
    if (rank === n - 1) return max;
    const place = firstAbove(upTo(), rank);
    const middle =
      place < negatives
        ? -bucketMiddle(plain.negative[2 * (negatives - 1 - place)] as number)
        : bucketMiddle(plain.positive[2 * (place - negatives)] as number);
    return Math.min(max, Math.max(min, middle));
  }

  return {
    n,
    sum,
    sumSquares: squareSumValue({ hi, lo }),
    min: n === 0 ? null : min,
    max: n === 0 ? null : max,
    exact: false,
    valueAtRank,
    countAbove: (threshold) => whole().countAbove(threshold),
    sumOfLargest: (k) => whole().sumOfLargest(k),
    bins: () => whole().bins(),
  };
}

/** Counts up to and including each bucket, smallest values first. */
function countsUpTo({ positive, negative }: PlainSketch): Float64Array {
  const upTo = new Float64Array((positive.length + negative.length) / 2);
  let total = 0;
  let place = 0;
  for (let i = negative.length - 1; i > 0; i -= 2) {
    total += negative[i] as number;
    upTo[place++] = total;
  }
  for (let i = 1; i < positive.length; i += 2) {
    total += positive[i] as number;
    upTo[place++] = total;
  }
  return upTo;
}

function firstAbove(ascending: Float64Array, value: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] as number) > value) high = middle;
    else low = middle + 1;
  }
  return low;
}

function pairsOf(counts: BucketCounts): Float64Array {
  let occupied = 0;
  counts.forEach(() => {
    occupied++;
  });
  const pairs = new Float64Array(2 * occupied);
  let next = 0;
  counts.forEach((bucket, count) => {
    pairs[next++] = bucket;
    pairs[next++] = count;
  });
  return pairs;
}

function addPairs(counts: BucketCounts, pairs: Float64Array): void {
  // The ends first: room for all is made at once.
  const last = pairs.length - 2;
  if (last > 0) counts.increment(pairs[last] as number, 0);
  for (let i = 0; i < pairs.length; i += 2) counts.increment(pairs[i] as number, pairs[i + 1] as number);
}
