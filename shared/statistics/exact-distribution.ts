import type { Distribution, DistributionBin, DistributionBuilder } from './distribution.ts';
import { addSquare, type SquareSum, squareSumValue } from './square-sum.ts';

/** All values, sorted: the reference for the sketch, and the right choice for small n. Values are whole µs. */
export function exactDistribution(values: Iterable<number>): Distribution {
  return sortedDistribution(Float64Array.from(values).sort());
}

/** The same for values that are sorted already; the array must not change afterwards. */
export function sortedDistribution(sorted: Float64Array | Int32Array): Distribution {
  const n = sorted.length;
  let sum = 0;
  // By index: an iterator takes several times as long, and there may be millions.
  for (let place = 0; place < n; place++) sum += sorted[place] as number;

  function sumOfRanks(from: number, to: number): number {
    let total = 0;
    for (let rank = Math.max(0, from); rank < Math.min(to, n); rank++) total += sorted[rank] as number;
    return total;
  }

  return {
    n,
    sum,
    // Lazy: only a spread is computed from it, once, and the sum takes longer than everything else here.
    get sumSquares() {
      return sumOfSquares(sorted);
    },
    min: sorted[0] ?? null,
    max: sorted[n - 1] ?? null,
    exact: true,
    valueAtRank: (rank) => valueAt(sorted, rank),
    countAbove: (threshold) => n - firstAbove(sorted, threshold),
    sumOfRanks,
    sumOfLargest: (k) => sumOfRanks(n - k, n),
    cappedSum: (cap) => {
      let total = 0;
      for (let i = 0; i < n; i++) total += Math.min(cap, sorted[i] as number);
      return total;
    },
    bins: () => countEqual(sorted),
  };
}

export function exactBuilder(): DistributionBuilder {
  const values: number[] = [];
  return { add: (value) => void values.push(value), build: () => exactDistribution(values) };
}

function sumOfSquares(values: Float64Array | Int32Array): bigint {
  const squares: SquareSum = { hi: 0, lo: 0 };
  for (let place = 0; place < values.length; place++) addSquare(squares, values[place] as number);
  return squareSumValue(squares);
}

function valueAt(sorted: Float64Array | Int32Array, rank: number): number {
  const value = sorted[rank];
  if (value === undefined) throw new RangeError(`Rank ${rank} is outside of ${sorted.length} values.`);
  return value;
}

function firstAbove(sorted: Float64Array | Int32Array, threshold: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as number) > threshold) high = middle;
    else low = middle + 1;
  }
  return low;
}

function countEqual(sorted: Float64Array | Int32Array): DistributionBin[] {
  const bins: DistributionBin[] = [];
  for (let i = 0; i < sorted.length; ) {
    const value = sorted[i] as number;
    const next = firstAbove(sorted, value);
    bins.push({ from: value, to: value + 1, count: next - i });
    i = next;
  }
  return bins;
}
