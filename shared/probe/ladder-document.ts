import { evidenceClassOf } from '../classify/evidence.ts';
import { scenarioLabelOf } from '../classify/scenario.ts';
import type { BatchOrigin, Sample, StoredSample } from '../sample/sample.ts';
import { HANDSHAKES, type Handshake, SCENARIOS, type Scenario } from '../sample/vocabulary.ts';
import { change } from '../statistics/change.ts';
import { exactDistribution } from '../statistics/exact-distribution.ts';
import { seededRandom } from '../statistics/seeded-random.ts';
import { aggregateSamples } from '../summary/aggregate-samples.ts';
import { DEFAULT_BASELINES, type Overhead, overheads } from '../summary/overhead.ts';
import { summarizeCell } from '../summary/summarize-cell.ts';
import type { SummaryCell } from '../summary/summary-document.ts';
import { overheadSentence } from './overhead-sentence.ts';
import type { LadderReport, ScenarioOutcome } from './probe-words.ts';

export interface LadderScenario extends ScenarioOutcome {
  /** As in the summary, milliseconds, of the runs that were kept; null where there are none. */
  readonly phases: SummaryCell['phases'] | null;
  /** Of the runs that were kept. */
  readonly handshakes: Readonly<Record<Handshake, number>>;
}

export interface LadderRatio extends Overhead {
  /** 95 % of `median.ms`, a seeded bootstrap over the runs; null where there is no median. */
  readonly medianInterval: readonly [number, number] | null;
}

/** What `lastbyte probe --json` prints. Times in milliseconds. */
export interface LadderDocument {
  readonly url: string;
  readonly browser: BatchOrigin['browser'];
  readonly browserVersion: string;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly seconds: number;
  readonly requests: number;
  readonly stopped: LadderReport['stopped'];
  readonly scenarios: readonly LadderScenario[];
  /** What each scenario adds to ttlb over its baseline. */
  readonly ratios: readonly LadderRatio[];
  readonly sentence: string;
}

/** So that the same runs give the same intervals. */
const SEED = 6;

export function ladderDocument(
  url: string,
  report: LadderReport,
  samples: readonly Sample[],
  origin: BatchOrigin,
): LadderDocument {
  const kept = samples
    .filter((sample) => evidenceClassOf(sample) === 'usable')
    .map((sample): StoredSample => ({ ...sample, origin }));
  const ratios = ratiosOf(kept, origin.clockStep);
  return {
    url,
    browser: origin.browser,
    browserVersion: origin.browserVersion,
    startedAt: report.startedAt,
    seconds: (report.endedAt - report.startedAt) / 1000,
    requests: report.requests,
    stopped: report.stopped,
    scenarios: [...report.scenarios]
      .sort((a, b) => SCENARIOS.indexOf(a.scenario) - SCENARIOS.indexOf(b.scenario))
      .map((outcome) => withPhases(outcome, kept)),
    ratios,
    sentence: overheadSentence({ ratios, clockStepMs: origin.clockStep / 1000, reuse: null }),
  };
}

function withPhases(outcome: ScenarioOutcome, kept: readonly StoredSample[]): LadderScenario {
  const own = kept.filter(({ source }) => source === `probe-${outcome.scenario}`);
  const [cell] = aggregateSamples(own, []).map(summarizeCell);
  const handshakes = Object.fromEntries(
    HANDSHAKES.map((word) => [word, own.filter(({ handshake }) => handshake === word).length]),
  ) as Record<Handshake, number>;
  return { ...outcome, phases: cell?.phases ?? null, handshakes };
}

function ratiosOf(kept: readonly StoredSample[], clockStep: number): LadderRatio[] {
  const times = new Map<string, number[]>();
  for (const sample of kept) {
    const { ttlb } = sample.times;
    if (ttlb === null) continue;
    for (const name of new Set([scenarioOfSource(sample), scenarioLabelOf(sample) ?? scenarioOfSource(sample)])) {
      times.set(name, [...(times.get(name) ?? []), ttlb]);
    }
  }
  const measured = Object.fromEntries([...times].map(([name, values]) => [name, exactDistribution(values)]));
  return overheads(measured)
    .filter(({ scenario }) => scenario in DEFAULT_BASELINES)
    .map((overhead) => {
      const observations = (name: string | null) =>
        (times.get(name ?? '') ?? []).map((value) => ({ value, browser: null }));
      const difference =
        overhead.median === null
          ? null
          : change(observations(overhead.baseline), observations(overhead.scenario), clockStep, seededRandom(SEED));
      const medianInterval = difference && ([difference.interval[0] / 1000, difference.interval[1] / 1000] as const);
      return { ...overhead, medianInterval };
    });
}

function scenarioOfSource({ source }: StoredSample): Scenario {
  return source.replace('probe-', '') as Scenario;
}
