import type { StoredSample } from '../../../shared/sample/sample.ts';
import { toScenarioLabel } from '../../../shared/sample/scenario.ts';
import { type Observation, twoGroups } from '../../../shared/statistics/bootstrap.ts';
import { browsersIn, differenceInterval } from '../../../shared/statistics/change.ts';
import { exactDistribution } from '../../../shared/statistics/exact-distribution.ts';
import { MIN_BROWSERS } from '../../../shared/statistics/keep-measuring.ts';
import { MIN_INTERVAL_N } from '../../../shared/statistics/median-interval.ts';
import { seededRandom } from '../../../shared/statistics/seeded-random.ts';
import type { Scenario } from '../../../shared/vocabulary/vocabulary.ts';
import { type ComparedBy, countRequests } from '../summary/likeness.ts';
import { DEFAULT_BASELINES, overheads } from '../summary/overhead.ts';
import type { Overhead } from '../summary/summary-document.ts';

export interface SequenceRatio extends Overhead {
  /** 95 % interval of `median.ms`, a seeded bootstrap over browsers (over runs below 5); null without a median. */
  readonly medianInterval: readonly [number, number] | null;
}

/** Fixed, so that the same runs give the same intervals. */
const SEED = 6;

interface RatioOptions {
  /** Groups runs by browser; null if all runs are from one browser. */
  readonly browserOf: (sample: StoredSample) => string | null;
  /** Limits the runs per scenario behind an interval, chosen evenly: every bootstrap draw reads all of them. */
  readonly maxRuns?: number;
}

/**
 * What each scenario adds to its baseline, from the start of the connect to the last byte, as ApacheBench counts.
 * Lookup and queue are left out because they depend on how the connection was made, not on the scenario: a frame in its
 * own network partition looks the name up every time, a request after `Connection: close` never does.
 *
 * @param kept runs on one host that proved their scenario
 */
export function sequenceRatios(
  kept: readonly StoredSample[],
  { browserOf, maxRuns = Number.POSITIVE_INFINITY }: RatioOptions,
): SequenceRatio[] {
  const times = new Map<string, Observation[]>();
  const counts = new Map<string, Partial<Record<ComparedBy, Map<string, number>>>>();
  for (const sample of kept) {
    const value = fromConnect(sample);
    if (value === null) continue;
    for (const name of new Set([scenarioOfSource(sample), toScenarioLabel(sample) ?? scenarioOfSource(sample)])) {
      const own = times.get(name) ?? [];
      times.set(name, own);
      own.push({ value, browser: browserOf(sample) });
      const counted = counts.get(name) ?? {};
      counts.set(name, counted);
      countRequests(counted, 'template', sample.template, 1);
    }
  }
  const measured = Object.fromEntries(
    [...times].map(([name, runs]) => [name, exactDistribution(runs.map(({ value }) => value))]),
  );
  const order = Object.keys(DEFAULT_BASELINES);
  return overheads(measured, DEFAULT_BASELINES, counts, MIN_INTERVAL_N)
    .filter(({ scenario }) => order.includes(scenario))
    .sort((a, b) => order.indexOf(a.scenario) - order.indexOf(b.scenario))
    .map((overhead) => {
      const runs = (name: string | null) => evenly(times.get(name ?? '') ?? [], maxRuns);
      if (overhead.median === null) return { ...overhead, medianInterval: null };
      // Repeated on the same machines, one scenario after the other, so the rule for users' requests does not apply.
      const both = [runs(overhead.baseline), runs(overhead.scenario)] as const;
      const byBrowser = both.every((own) => (browsersIn(own) ?? 0) >= MIN_BROWSERS);
      const [low, high] = differenceInterval(twoGroups(...both, byBrowser), seededRandom(SEED));
      return { ...overhead, medianInterval: [low / 1000, high / 1000] };
    });
}

/** µs. In Firefox `dns` may be null and the lookup in `blocked`. */
function fromConnect({ times: { ttlb, blocked, dns } }: StoredSample): number | null {
  return ttlb === null || blocked === null ? null : ttlb - blocked - (dns ?? 0);
}

/** Chosen in order of value, so that the selection has the same median. */
function evenly(runs: readonly Observation[], maxRuns: number): readonly Observation[] {
  if (runs.length <= maxRuns) return runs;
  const sorted = [...runs].sort((a, b) => a.value - b.value || ((a.browser ?? '') < (b.browser ?? '') ? -1 : 1));
  return Array.from(
    { length: maxRuns },
    (_, i) => sorted[Math.floor(((i + 0.5) * sorted.length) / maxRuns)] as Observation,
  );
}

function scenarioOfSource({ source }: StoredSample): Scenario {
  return source.replace('probe-', '') as Scenario;
}
