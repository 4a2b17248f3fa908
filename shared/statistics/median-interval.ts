import type { Distribution } from './distribution.ts';

/** With fewer, no pair of ranks covers the median with 95 %: 2 · 2⁻⁵ > 5 %. */
export const MIN_INTERVAL_N = 6;
const TAIL = 0.025;
/** 2⁻ⁿ is a normal double up to here, so the tail can be summed from its first term. */
const MAX_DIRECT_N = 1_000;

/**
 * 95 % interval of the median from order statistics: no assumption about the distribution's shape, only that the samples are
 * independent (so the number of browsers should be shown with it). Coverage is at least 95 %.
 *
 * @returns two measured values, or null below n = 6
 */
export function medianInterval(distribution: Distribution): readonly [number, number] | null {
  const ranks = medianIntervalRanks(distribution.n);
  return ranks && [distribution.valueAtRank(ranks[0]), distribution.valueAtRank(ranks[1])];
}

/** Whether two intervals do not overlap: a cautious sign that the medians differ. */
export function intervalsApart(one: readonly [number, number], other: readonly [number, number]): boolean {
  return one[1] < other[0] || other[1] < one[0];
}

/**
 * Zero-based ranks [l, n−1−l] with the largest l for which P(B ≤ l) ≤ 2.5 %, B binomial(n, ½): the median of the
 * population lies below the value at rank l only if at most l of n samples fell below it.
 */
export function medianIntervalRanks(n: number): readonly [number, number] | null {
  if (n < MIN_INTERVAL_N) return null;
  const low = n <= MAX_DIRECT_N ? rankBySum(n) : rankBySearch(n);
  return [low, n - 1 - low];
}

function rankBySum(n: number): number {
  let term = 2 ** -n;
  let tail = 0;
  let k = 0;
  for (; tail + term <= TAIL; k++) {
    tail += term;
    term *= (n - k) / (k + 1);
  }
  return k - 1;
}

/** Starts from the normal approximation and steps to the exact rank. */
function rankBySearch(n: number): number {
  let k = Math.floor((n - 1.96 * Math.sqrt(n)) / 2) - 1;
  let tail = lowerTail(n, k);
  while (tail > TAIL) tail -= probability(n, k--);
  for (let next = probability(n, k + 1); tail + next <= TAIL; next = probability(n, k + 1)) {
    tail += next;
    k++;
  }
  return k;
}

/** P(B ≤ k): each term is the one above it times k/(n−k+1), falling fast enough to stop early. */
function lowerTail(n: number, k: number): number {
  let term = probability(n, k);
  let sum = 0;
  for (let i = k; i >= 0 && term > sum * 1e-17; i--) {
    sum += term;
    term *= i / (n - i + 1);
  }
  return sum;
}

/**
 * P(B = k) for large n by Loader's saddle-point form, in which the logarithms of huge factorials never cancel. C. Loader,
 * Fast and Accurate Computation of Binomial Probabilities (2000).
 */
function probability(n: number, k: number): number {
  const d = (n - 2 * k) / n;
  const deviance = (n / 2) * ((1 - d) * Math.log1p(-d) + (1 + d) * Math.log1p(d));
  const correction = stirlingError(n) - stirlingError(k) - stirlingError(n - k);
  return Math.exp(correction - deviance) * Math.sqrt(n / (2 * Math.PI * k * (n - k)));
}

/** ln n! minus Stirling's formula; the series is exact to double precision from n = 400 on. */
function stirlingError(n: number): number {
  return (1 / 12 - (1 / 360 - 1 / 1260 / n ** 2) / n ** 2) / n;
}
