/**
 * What every statistic of a summary is computed from. Exact values and the sketch both provide it, so callers need not know
 * which it is; `exact` is only for the reader. Values are whole microseconds; negative ones occur only in differences, such
 * as `serverShare`.
 */
export interface Distribution {
  readonly n: number;
  /** Exact in both. */
  readonly sum: number;
  /** Exact in both: µs² exceeds 2⁵³ after a few long samples. */
  readonly sumSquares: bigint;
  /** Exact in both; null when n is 0. */
  readonly min: number | null;
  readonly max: number | null;
  /** True if `valueAtRank` is exact, false if it is within SKETCH_BOUND. */
  readonly exact: boolean;
  /** The sorted value at index `rank`, 0 ≤ rank < n. */
  valueAtRank(rank: number): number;
  /** How many values are strictly greater than `threshold`. */
  countAbove(threshold: number): number;
  /** Sum of the sorted values at ranks `from` ≤ rank < `to`; in a sketch, the midpoints of its bins represent them. */
  sumOfRanks(from: number, to: number): number;
  /** Sum of the `k` largest values. */
  sumOfLargest(k: number): number;
  /** Sum of the values, each capped at `cap`; in a sketch, the midpoints of its bins represent them. */
  cappedSum(cap: number): number;
  /** Occupied bins in ascending order, each value inside [from, to). */
  bins(): readonly DistributionBin[];
}

export interface DistributionBin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** Takes values one by one, so that a store can stream; exact values and the sketch are both built this way. */
export interface DistributionBuilder {
  /** @param value whole microseconds */
  add(value: number): void;
  /** The distribution of the values added so far. The builder can be used further without changing it. */
  build(): Distribution;
}
