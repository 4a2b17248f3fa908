import { howToOpen, type Reading, type ReadingSource } from '../storage/passes/reading-source.ts';
import { computeBrowsers } from './compute-browsers.ts';
import { computeCompare } from './compute-compare.ts';
import { computeEvidence } from './compute-evidence.ts';
import { computeFirstHeard } from './compute-first-heard.ts';
import { computeFleet } from './compute-fleet.ts';
import { computeHistogram } from './compute-histogram.ts';
import { computeKept } from './compute-kept.ts';
import { computeMonthly } from './compute-monthly.ts';
import { computePages } from './compute-pages.ts';
import { computeProbes } from './compute-probes.ts';
import { computeShownGroups } from './compute-shown-groups.ts';
import { computeSummary } from './compute-summary.ts';
import { computeTimeline, mayBeFine } from './compute-timeline.ts';
import { computeTls } from './compute-tls.ts';
import { computeView } from './compute-view.ts';
import { rolledUp } from './row-times.ts';
import { type WrittenAnswer, writeAnswer } from './write-answer.ts';

/**
 * What can be asked of a store beyond its cells: computed where the data are, off the thread that takes batches. Plain
 * data in, plain data out.
 */
export const COMPUTATIONS = {
  summary: computeSummary,
  histogram: computeHistogram,
  timeline: computeTimeline,
  compare: computeCompare,
  pages: computePages,
  evidence: computeEvidence,
  view: computeView,
  tls: computeTls,
  probes: computeProbes,
  browsers: computeBrowsers,
  kept: computeKept,
  fleet: computeFleet,
  firstHeard: computeFirstHeard,
  shownGroups: computeShownGroups,
  monthly: computeMonthly,
} as const;

export type ComputationName = keyof typeof COMPUTATIONS;
export type Question<K extends ComputationName> = Parameters<(typeof COMPUTATIONS)[K]>[1];
export type Answer<K extends ComputationName> = ReturnType<(typeof COMPUTATIONS)[K]>;

/** Those whose answers are documents; the collector itself acts on the others. */
export type DocumentName = Exclude<ComputationName, 'browsers' | 'kept' | 'firstHeard' | 'shownGroups'>;

/** Whether a question reads samples however long its range is, and takes long for it: the quick ones should not wait. */
function takesLong<K extends ComputationName>(name: K, question: Question<K>): boolean {
  if (name === 'summary' || name === 'histogram') {
    const asked = question as Question<'summary'> | Question<'histogram'>;
    const fromRows = 'time' in asked ? rolledUp(asked.time) === null : asked.include.includes('gapCuts');
    return fromRows || howToOpen(asked) === 'fine';
  }
  if (name === 'timeline') return mayBeFine(question as Question<'timeline'>);
  return name !== 'browsers' && name !== 'firstHeard' && name !== 'kept';
}

type AnyReading = Reading<never, unknown>;

function readingOf(name: ComputationName): AnyReading {
  const compute = COMPUTATIONS[name] as (source: ReadingSource, question: unknown) => unknown;
  return { name, takesLong: (question) => takesLong(name, question), read: compute };
}

function writtenOf(name: ComputationName): AnyReading {
  const { read, ...reading } = readingOf(name);
  return {
    ...reading,
    name: `${name}:json`,
    read: (source, question) => writeAnswer(read(source, question) as object),
  };
}

const NAMES = Object.keys(COMPUTATIONS) as ComputationName[];
export const READINGS: readonly AnyReading[] = NAMES.flatMap((name) => [readingOf(name), writtenOf(name)]);
const BY_NAME = new Map(READINGS.map((reading) => [reading.name, reading]));

/** For answers that the collector itself acts on, which are small. */
export function reading<K extends ComputationName>(name: K): Reading<Question<K>, Answer<K>> {
  return BY_NAME.get(name) as Reading<Question<K>, Answer<K>>;
}

/** For answers that are sent: written as JSON where they were computed. */
export function written<K extends DocumentName>(name: K): Reading<Question<K>, WrittenAnswer<Answer<K>>> {
  return BY_NAME.get(`${name}:json`) as Reading<Question<K>, WrittenAnswer<Answer<K>>>;
}
