import type { Distribution } from './distribution.ts';

/**
 * Mean of the values between the quartiles (interquartile mean): what is typical, whatever the extremes are. In a sketch
 * within its bound.
 *
 * @param zeros further values of 0, which are below all others
 * @returns 0 without values
 */
export function middleHalfMean(distribution: Distribution, zeros = 0): number {
  const n = distribution.n + zeros;
  const quarter = Math.floor(n / 4);
  const sum = distribution.sumOfRanks(quarter - zeros, n - quarter - zeros);
  return n === 0 ? 0 : sum / (n - 2 * quarter);
}
