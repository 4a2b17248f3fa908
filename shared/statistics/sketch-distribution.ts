import type { Distribution, DistributionBin } from './distribution.ts';
import { bucketMiddle, bucketStart, toBucket } from './sketch-buckets.ts';
import { type SquareSum, squareSumValue } from './square-sum.ts';

/** Counts of adjacent buckets, from bucket `first` on; some may be 0. */
export interface BucketRun {
  readonly first: number;
  readonly counts: ArrayLike<number>;
}

/** A sketch as plain data. */
export interface SketchState {
  readonly n: number;
  readonly sum: number;
  readonly min: number;
  readonly max: number;
  readonly squares: Readonly<SquareSum>;
  /** Values ≥ 0. */
  readonly positive: BucketRun;
  /** Absolute values of negative ones. */
  readonly negative: BucketRun;
}

/** The distribution of a sketch, read in place, as a summary has thousands: its state must not change afterwards. */
export function sketchDistribution(state: SketchState): Distribution {
  const { n, sum, min, max, squares, positive, negative } = state;
  const below = negative.counts.length;

  // Positions run from the smallest values to the largest. Arrays are longer than what is in them.
  const placeOf = (value: number): number =>
    value < 0 ? below - 1 - (toBucket(-value) - negative.first) : below + toBucket(value) - positive.first;
  const lowest = n === 0 ? 0 : placeOf(min);
  const highest = n === 0 ? -1 : placeOf(max);
  const countAt = (place: number): number =>
    (place < below ? negative.counts[below - 1 - place] : positive.counts[place - below]) as number;
  const middleAt = (place: number): number =>
    place < below ? -bucketMiddle(negative.first + below - 1 - place) : bucketMiddle(positive.first + place - below);
  const startAt = (place: number): number =>
    place < below ? 1 - bucketStart(negative.first + below - place) : bucketStart(positive.first + place - below);
  const endAt = (place: number): number =>
    place < below
      ? 1 - bucketStart(negative.first + below - 1 - place)
      : bucketStart(positive.first + place - below + 1);

  // Ranks are mostly requested in ascending order, so the search resumes where the last one ended.
  let found = lowest;
  let before = 0;
  function placeOfRank(rank: number): number {
    if (rank < before) {
      found = lowest;
      before = 0;
    }
    for (; found <= highest; found++) {
      const count = countAt(found);
      if (rank < before + count) return found;
      before += count;
    }
    throw new RangeError(`A sketch of ${n} values counts ${before}.`);
  }

  return {
    n,
    sum,
    sumSquares: squareSumValue(squares),
    min: n === 0 ? null : min,
    max: n === 0 ? null : max,
    exact: false,
    valueAtRank(rank) {
      if (!(rank >= 0 && rank < n)) throw new RangeError(`Rank ${rank} is outside of ${n} values.`);
      if (rank === 0) return min;
      if (rank === n - 1) return max;
      return Math.min(max, Math.max(min, middleAt(placeOfRank(rank))));
    },
    /** The bin containing the threshold is divided as if its values were evenly distributed. */
    countAbove(threshold) {
      if (threshold >= max) return 0;
      let above = 0;
      for (let place = highest; place >= lowest; place--) {
        const count = countAt(place);
        if (count === 0) continue;
        const [from, last] = [startAt(place), endAt(place) - 1];
        if (last <= threshold) break;
        above += from > threshold ? count : (count * (last - threshold)) / (last + 1 - from);
      }
      return Math.round(above);
    },
    sumOfRanks(from, to) {
      let total = 0;
      let passed = 0;
      for (let place = lowest; place <= highest && passed < to; place++) {
        const count = countAt(place);
        if (count === 0) continue;
        const taken = Math.min(passed + count, to) - Math.max(passed, from);
        if (taken > 0) total += taken * middleAt(place);
        passed += count;
      }
      return total;
    },
    sumOfLargest(k) {
      if (k >= n) return sum;
      if (k <= 0) return 0;
      // The largest value is known exactly and often outweighs the rest of the tail.
      let total = max;
      let left = k - 1;
      let known = 1;
      for (let place = highest; place >= lowest && left > 0; place--) {
        const count = countAt(place);
        if (count === 0) continue;
        const taken = Math.min(left, count - known);
        known = 0;
        total += taken * middleAt(place);
        left -= taken;
      }
      return total;
    },
    cappedSum(cap) {
      let total = 0;
      for (let place = lowest; place <= highest; place++) {
        const count = countAt(place);
        if (count > 0) total += count * Math.min(cap, middleAt(place));
      }
      return total;
    },
    bins() {
      const bins: DistributionBin[] = [];
      for (let place = lowest; place <= highest; place++) {
        const count = countAt(place);
        if (count > 0) bins.push({ from: startAt(place), to: endAt(place), count });
      }
      return bins;
    },
  };
}
