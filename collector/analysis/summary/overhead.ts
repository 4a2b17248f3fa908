import { whyNotCompared } from '../../../shared/statistics/comparability.ts';
import type { Distribution } from '../../../shared/statistics/distribution.ts';
import { quantileRank } from '../../../shared/statistics/quantile-rank.ts';
import { MIN_ALIKE, type RequestCounts, unlikeIn } from './likeness.ts';
import type { Overhead } from './summary-document.ts';

/** The default baseline of each scenario is the same connection without TLS. */
export const DEFAULT_BASELINES: Readonly<Record<string, string>> = {
  'https-new': 'http-new',
  'https-new-resumed': 'http-new',
  'https-new-full': 'http-new',
  'https-reused': 'http-reused',
};

/**
 * What each scenario adds to its baseline.
 *
 * @param measured a time of each scenario, µs, such as `ttlb`
 * @param counts what the requests of each scenario were; absent if they were all alike
 * @param repeated at least so many values that were measured on purpose, one scenario after the other on the same machines,
 * are compared; requests as users happen to make them follow `whyNotCompared`, in which both sides have the same browsers
 */
export function overheads(
  measured: Readonly<Record<string, Distribution>>,
  baselines: Readonly<Record<string, string>> = DEFAULT_BASELINES,
  counts?: ReadonlyMap<string, RequestCounts>,
  repeated: number | null = null,
): Overhead[] {
  const scenarios = new Set([...Object.keys(measured), ...Object.keys(baselines)]);
  return [...scenarios].map((scenario) => overhead(scenario, baselines[scenario] ?? null, measured, counts, repeated));
}

function overhead(
  scenario: string,
  baseline: string | null,
  measured: Readonly<Record<string, Distribution>>,
  counts: ReadonlyMap<string, RequestCounts> | undefined,
  repeated: number | null,
): Overhead {
  const nothing = { scenario, baseline, median: null, mean: null };
  if (baseline === null) return { ...nothing, reason: 'no_baseline' };
  const ours = measured[scenario];
  const theirs = measured[baseline];
  if (!ours || ours.n === 0) return { ...nothing, reason: 'not_measured' };
  if (!theirs || theirs.n === 0) return { ...nothing, reason: 'baseline_not_measured' };
  const groups = [ours, theirs].map(({ n }) => ({ n, browsers: null }));
  const few = repeated === null ? whyNotCompared(...groups) !== null : groups.some(({ n }) => n < repeated);
  if (few) return { ...nothing, reason: 'few_samples' };
  const [unlike] = unlikeIn(counts?.get(scenario) ?? {}, counts?.get(baseline) ?? {});
  if (unlike !== undefined && unlike.share < MIN_ALIKE) return { ...nothing, reason: `different_${unlike.by}s` };
  return {
    scenario,
    baseline,
    median: added(medianOf(ours), medianOf(theirs)),
    mean: added(ours.sum / ours.n, theirs.sum / theirs.n),
    reason: null,
  };
}

function added(ours: number, theirs: number): NonNullable<Overhead['median']> {
  return { ms: (ours - theirs) / 1000, ratio: theirs === 0 ? null : ours / theirs };
}

function medianOf(distribution: Distribution): number {
  return distribution.valueAtRank(quantileRank(0.5, distribution.n));
}
