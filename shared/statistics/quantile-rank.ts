/**
 * The rank of quantile `q` among `n` sorted values: ⌊q(n−1)⌋, so a quantile is always a measured value and never
 * interpolated (SQLite's `percentile_disc`). Median of 999 × 10 ms and one 3 s: a 10.
 *
 * @param q 0 … 1
 * @param n at least 1
 */
export function quantileRank(q: number, n: number): number {
  return Math.floor(q * (n - 1));
}
