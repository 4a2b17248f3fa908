import type { Distribution } from './distribution.ts';
import { type KeepMeasuringReason, keepMeasuring, variesWidely } from './keep-measuring.ts';
import { medianInterval } from './median-interval.ts';
import { quantileRank } from './quantile-rank.ts';

export interface TimeStatistics {
  readonly n: number;
  readonly min: number;
  readonly p25: number;
  readonly median: number;
  /** 95 %, exact binomial ranks; null below n = 6. */
  readonly medianInterval: readonly [number, number] | null;
  readonly p75: number;
  readonly p90: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
  readonly mean: number;
  /** Sample standard deviation; null below n = 2. */
  readonly sd: number | null;
  /** Reasons to keep measuring before relying on this; empty if there are none. */
  readonly keepMeasuring: readonly KeepMeasuringReason[];
  /** The quartiles are far apart: half of the median or more. Says nothing about how reliable the median is. */
  readonly variesWidely: boolean;
  /** The median is below the resolution of the browsers' timers. */
  readonly belowClockStep: boolean;
}

/**
 * The statistics of one time, in milliseconds, from a distribution in microseconds; null if it is empty.
 *
 * @param clockStep coarsest resolution of the timers behind it, µs; null if unknown
 * @param browsers how many measured it; null if unknown, or if that is no reason for doubt, as for sizes
 */
export function timeStatistics(
  distribution: Distribution,
  clockStep: number | null,
  browsers: number | null = null,
): TimeStatistics | null {
  const { n, min, max } = distribution;
  if (min === null || max === null) return null;
  const interval = medianInterval(distribution);
  const sd = standardDeviation(distribution);
  const core = {
    n,
    min: min / 1000,
    p25: quantile(distribution, 0.25),
    median: quantile(distribution, 0.5),
    medianInterval: interval && ([interval[0] / 1000, interval[1] / 1000] as const),
    p75: quantile(distribution, 0.75),
    p90: quantile(distribution, 0.9),
    p95: quantile(distribution, 0.95),
    p99: quantile(distribution, 0.99),
    max: max / 1000,
    mean: distribution.sum / (1000 * n),
    sd: sd === null ? null : sd / 1000,
  };
  return {
    ...core,
    keepMeasuring: keepMeasuring({ ...core, browsers }),
    variesWidely: variesWidely(core),
    belowClockStep: clockStep !== null && Math.abs(core.median) * 1000 < clockStep,
  };
}

/** @returns milliseconds */
function quantile(distribution: Distribution, q: number): number {
  return distribution.valueAtRank(quantileRank(q, distribution.n)) / 1000;
}

/**
 * Sample standard deviation, √((n·Σx² − (Σx)²) / (n(n−1))). The difference is taken between exact integers: in floating
 * point it loses every digit if the spread is small relative to the values.
 *
 * @returns in the unit of the values; null below n = 2
 */
function standardDeviation(distribution: Distribution): number | null {
  const { n } = distribution;
  if (n < 2) return null;
  const sum = BigInt(distribution.sum);
  const spread = BigInt(n) * distribution.sumSquares - sum * sum;
  return Math.sqrt(Number(spread) / n / (n - 1));
}
