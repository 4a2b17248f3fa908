import type { Distribution } from './distribution.ts';

export interface ShareAbove {
  /** In the unit of the values. */
  readonly threshold: number;
  readonly count: number;
  /** 0 … 1 */
  readonly share: number;
}

/** Which part of the values is strictly greater than each threshold; null where there are no values. */
export function sharesAbove(distribution: Distribution, thresholds: readonly number[]): readonly ShareAbove[] | null {
  const { n } = distribution;
  if (n === 0) return null;
  return thresholds.map((threshold) => {
    const count = distribution.countAbove(threshold);
    return { threshold, count, share: count / n };
  });
}
