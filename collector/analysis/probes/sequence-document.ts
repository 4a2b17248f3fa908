import { toEvidenceClass } from '../../../shared/sample/evidence.ts';
import type { ClientInfo, Sample, StoredSample } from '../../../shared/sample/sample.ts';
import type { ScenarioOutcome, SequenceReport } from '../../../shared/vocabulary/probe-words.ts';
import { HANDSHAKES, type Handshake, SCENARIOS } from '../../../shared/vocabulary/vocabulary.ts';
import { aggregateSamples } from '../summary/aggregate-samples.ts';
import { summarizeCell } from '../summary/summarize-cell.ts';
import type { SummaryCell } from '../summary/summary-document.ts';
import { overheadSentence } from './overhead-sentence.ts';
import { type SequenceRatio, sequenceRatios } from './sequence-ratios.ts';

export interface SequenceScenario extends ScenarioOutcome {
  /** Statistics of the kept runs, in milliseconds as in the summary; null if there are none. */
  readonly phases: SummaryCell['phases'] | null;
  /** Of the kept runs. */
  readonly handshakes: Readonly<Record<Handshake, number>>;
}

/** What `lastbyte probe --json` prints. Times in milliseconds. */
export interface SequenceDocument {
  readonly url: string;
  readonly browser: ClientInfo['browser'];
  readonly browserVersion: string;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly seconds: number;
  readonly requests: number;
  readonly stopped: SequenceReport['stopped'];
  readonly scenarios: readonly SequenceScenario[];
  /** What each scenario adds to its baseline, from the start of the connect to the last byte. */
  readonly ratios: readonly SequenceRatio[];
  readonly sentence: string;
}

export function sequenceDocument(
  url: string,
  report: SequenceReport,
  samples: readonly Sample[],
  origin: ClientInfo,
): SequenceDocument {
  const kept = samples
    .filter((sample) => toEvidenceClass(sample) === 'usable')
    .map((sample): StoredSample => ({ ...sample, origin }));
  const ratios = sequenceRatios(kept, { browserOf: () => null });
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

function withPhases(outcome: ScenarioOutcome, kept: readonly StoredSample[]): SequenceScenario {
  const own = kept.filter(({ source }) => source === `probe-${outcome.scenario}`);
  const [cell] = aggregateSamples(own, []).map(summarizeCell);
  const handshakes = Object.fromEntries(
    HANDSHAKES.map((word) => [word, own.filter(({ handshake }) => handshake === word).length]),
  ) as Record<Handshake, number>;
  return { ...outcome, phases: cell?.phases ?? null, handshakes };
}
