import type { Distribution } from './distribution.ts';

/**
 * Sample standard deviation, √((n·Σx² − (Σx)²) / (n(n−1))). The difference is taken between exact integers: with
 * floating point it loses every digit when the spread is small beside the values.
 *
 * @returns in the unit of the values; null below n = 2
 */
export function standardDeviation(distribution: Distribution): number | null {
  const { n } = distribution;
  if (n < 2) return null;
  const sum = BigInt(distribution.sum);
  const spread = BigInt(n) * distribution.sumSquares - sum * sum;
  return Math.sqrt(Number(spread) / n / (n - 1));
}
