import type { Distribution } from './distribution.ts';

export interface ShareAbove {
  /** In the unit of the values. */
  readonly threshold: number;
  readonly count: number;
  /** Lower and upper bound of the count: a sketch does not know where in a bucket its values are. Equal if exact. */
  readonly range: readonly [number, number];
  /** 0 … 1 */
  readonly share: number;
}

/** The share of values strictly greater than each threshold; null if there are no values. */
export function sharesAbove(distribution: Distribution, thresholds: readonly number[]): readonly ShareAbove[] | null {
  const { n } = distribution;
  if (n === 0) return null;
  return thresholds.map((threshold) => {
    const count = distribution.countAbove(threshold);
    return { threshold, count, range: rangeOf(distribution, threshold, count), share: count / n };
  });
}

function rangeOf(distribution: Distribution, threshold: number, count: number): readonly [number, number] {
  const { exact, n, min, max } = distribution;
  if (exact) return [count, count];
  if (max === null || min === null || threshold >= max) return [0, 0];
  if (threshold < min) return [n, n];
  let [low, high] = [0, 0];
  for (const { from, to, count: inside } of distribution.bins()) {
    if (from > threshold) low += inside;
    if (to - 1 > threshold) high += inside;
  }
  // The largest value is above, the smallest is not.
  return [Math.max(1, low), Math.min(n - 1, high)];
}
