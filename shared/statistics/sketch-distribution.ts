import type { BucketCounts } from './bucket-counts.ts';
import type { Distribution, DistributionBin } from './distribution.ts';
import { bucketMiddle, bucketStart } from './sketch-buckets.ts';
import { type SquareSum, squareSumValue } from './square-sum.ts';

interface SketchState {
  readonly n: number;
  readonly sum: number;
  readonly min: number;
  readonly max: number;
  readonly squares: Readonly<SquareSum>;
  readonly positive: BucketCounts;
  readonly negative: BucketCounts;
}

interface Bin extends DistributionBin {
  readonly middle: number;
}

/** A view of a sketch as it is now: later additions do not change it. */
export function sketchDistribution(sketch: SketchState): Distribution {
  const { n, sum, min, max } = sketch;
  const bins = readBins(sketch);
  // Counts up to and including each bin, so that a rank is found by halving.
  const upTo = new Float64Array(bins.length);
  let total = 0;
  bins.forEach((bin, i) => {
    total += bin.count;
    upTo[i] = total;
  });

  function valueAtRank(rank: number): number {
    if (!(rank >= 0 && rank < n)) throw new RangeError(`Rank ${rank} is outside of ${n} values.`);
    if (rank === 0) return min;
    if (rank === n - 1) return max;
    const bin = bins[firstAbove(upTo, rank)] as Bin;
    return Math.min(max, Math.max(min, bin.middle));
  }

  return {
    n,
    sum,
    sumSquares: squareSumValue(sketch.squares),
    min: n === 0 ? null : min,
    max: n === 0 ? null : max,
    exact: false,
    valueAtRank,
    countAbove: (threshold) => countAbove(bins, threshold, max),
    sumOfLargest: (k) => (k >= n ? sum : sumOfLargest(bins, k, max)),
    bins: () => bins.map(({ from, to, count }) => ({ from, to, count })),
  };
}

function readBins({ positive, negative }: SketchState): Bin[] {
  const below: Bin[] = [];
  negative.forEach((bucket, count) => {
    below.push({
      from: 1 - bucketStart(bucket + 1),
      to: 1 - bucketStart(bucket),
      middle: -bucketMiddle(bucket),
      count,
    });
  });
  const bins = below.reverse();
  positive.forEach((bucket, count) => {
    bins.push({ from: bucketStart(bucket), to: bucketStart(bucket + 1), middle: bucketMiddle(bucket), count });
  });
  return bins;
}

/** The bin that holds the threshold is divided as if its values lay evenly in it. */
function countAbove(bins: readonly Bin[], threshold: number, max: number): number {
  if (threshold >= max) return 0;
  let count = 0;
  for (const bin of bins) {
    if (bin.from > threshold) count += bin.count;
    else if (bin.to - 1 > threshold) count += (bin.count * (bin.to - 1 - threshold)) / (bin.to - bin.from);
  }
  return Math.round(count);
}

function sumOfLargest(bins: readonly Bin[], k: number, max: number): number {
  if (k <= 0) return 0;
  // The largest one is known exactly and often weighs more than the rest of the tail.
  let sum = max;
  let left = k - 1;
  let known = 1;
  for (let i = bins.length - 1; i >= 0 && left > 0; i--) {
    const bin = bins[i] as Bin;
    const taken = Math.min(left, bin.count - known);
    known = 0;
    sum += taken * bin.middle;
    left -= taken;
  }
  return sum;
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
