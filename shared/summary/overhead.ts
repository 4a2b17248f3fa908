import type { Distribution } from '../statistics/distribution.ts';
import { MIN_INTERVAL_N } from '../statistics/median-interval.ts';
import { quantileRank } from '../statistics/quantile-rank.ts';

/** What a scenario is compared with, unless told otherwise: the same connection without TLS. */
export const DEFAULT_BASELINES: Readonly<Record<string, string>> = {
  'https-new': 'http-new',
  'https-new-resumed': 'http-new',
  'https-new-full': 'http-new',
  'https-reused': 'http-reused',
};

export interface Overhead {
  readonly scenario: string;
  readonly baseline: string | null;
  /** What the scenario adds at the median and on average, ms; null with a reason. */
  readonly median: Added | null;
  readonly mean: Added | null;
  readonly reason: 'no_baseline' | 'not_measured' | 'baseline_not_measured' | 'few_samples' | null;
}

interface Added {
  readonly ms: number;
  /** Scenario ÷ baseline; null where the baseline is 0. */
  readonly ratio: number | null;
}

/**
 * What each scenario adds over its baseline.
 *
 * @param measured a time of each scenario, µs, such as `ttlb`
 */
export function overheads(
  measured: Readonly<Record<string, Distribution>>,
  baselines: Readonly<Record<string, string>> = DEFAULT_BASELINES,
): Overhead[] {
  const scenarios = new Set([...Object.keys(measured), ...Object.keys(baselines)]);
  return [...scenarios].map((scenario) => overhead(scenario, baselines[scenario] ?? null, measured));
}

function overhead(
  scenario: string,
  baseline: string | null,
  measured: Readonly<Record<string, Distribution>>,
): Overhead {
  const nothing = { scenario, baseline, median: null, mean: null };
  if (baseline === null) return { ...nothing, reason: 'no_baseline' };
  const ours = measured[scenario];
  const theirs = measured[baseline];
  if (!ours || ours.n === 0) return { ...nothing, reason: 'not_measured' };
  if (!theirs || theirs.n === 0) return { ...nothing, reason: 'baseline_not_measured' };
  if (Math.min(ours.n, theirs.n) < MIN_INTERVAL_N) return { ...nothing, reason: 'few_samples' };
  return {
    scenario,
    baseline,
    median: added(medianOf(ours), medianOf(theirs)),
    mean: added(ours.sum / ours.n, theirs.sum / theirs.n),
    reason: null,
  };
}

function added(ours: number, theirs: number): Added {
  return { ms: (ours - theirs) / 1000, ratio: theirs === 0 ? null : ours / theirs };
}

function medianOf(distribution: Distribution): number {
  return distribution.valueAtRank(quantileRank(0.5, distribution.n));
}
