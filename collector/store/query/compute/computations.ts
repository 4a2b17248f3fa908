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
import { howToOpen } from './compute-source.ts';
import { computeSummary } from './compute-summary.ts';
import { computeTimeline, mayBeFine } from './compute-timeline.ts';
import { computeTls } from './compute-tls.ts';
import { computeView } from './compute-view.ts';
import { rolledUp } from './row-times.ts';

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

/** Dimensions by which a page of ours, or a report, never groups at once: combined, they make thousands of groups. */
const WIDE_FROM = 4;

/** Whether its answer may take hundreds of MB while it is computed. */
export function isWide<K extends ComputationName>(question: Question<K>): boolean {
  return 'by' in question && question.by.length >= WIDE_FROM;
}

/**
 * Whether a question takes long: it reads samples however long its range is, or has very many groups. The quick ones
 * should not wait for it.
 */
export function takesLong<K extends ComputationName>(name: K, question: Question<K>): boolean {
  if (isWide(question)) return true;
  if (name === 'summary' || name === 'histogram') {
    const asked = question as Question<'summary'> | Question<'histogram'>;
    const fromRows = 'time' in asked ? rolledUp(asked.time) === null : asked.include.includes('gapCuts');
    return fromRows || howToOpen(asked) === 'fine';
  }
  if (name === 'timeline') return mayBeFine(question as Question<'timeline'>);
  return name !== 'browsers' && name !== 'firstHeard' && name !== 'kept';
}
