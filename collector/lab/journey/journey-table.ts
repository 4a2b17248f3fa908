import type { Breakage } from '../../../shared/journeys/run-outcome.ts';
import { PROBE_REASONS } from '../../analysis/text/probe-reasons.ts';
import { alignColumns } from '../../lib/align-columns.ts';
import type { JourneyRun } from './run-journey.ts';

const NONE = '–';

/** The human-readable output of `lastbyte journey run`. */
export function journeyTable(title: string, total: number, { steps, broke, ms }: JourneyRun): string[] {
  const rows = steps.map((step) => [
    String(step.step),
    step.name,
    (step.ms?.toFixed(0) ?? NONE) + (isOver(step) ? ` > ${step.thresholdMs}` : ''),
    String(step.requests),
    String(step.connections),
    (step.bytes / 1024).toFixed(1),
  ]);
  return [
    ...alignColumns([['step', title, 'ms', 'requests', 'connections', 'KB'], ...rows]),
    '',
    broke === null
      ? `Up: ${total} steps in ${ms?.toFixed(0)} ms.`
      : `Down: ${explainBreakage(broke, total, steps.at(-1)?.name)}`,
    ...(broke === null ? [] : evidenceLines(broke)),
  ];
}

function isOver({ ms, thresholdMs }: JourneyRun['steps'][number]): boolean {
  return ms !== null && thresholdMs !== null && ms > thresholdMs;
}

export function explainBreakage({ step, reason, detail }: Breakage, total: number, name = ''): string {
  const more = detail === null ? '' : ` (${detail})`;
  return `step ${step} of ${total}, ${name}: ${PROBE_REASONS.breaks[reason]}${more}.`;
}

function evidenceLines({ lookedFor, page }: Breakage): string[] {
  const selectors = lookedFor.length === 0 ? [] : [`Looked for: ${lookedFor.join(', ')}`];
  if (page === null) return selectors;
  const { title, url, status, consoleErrors, failedRequests, nearest } = page;
  const errors = `${consoleErrors} errors in the console, ${failedRequests} failed requests`;
  return [
    ...selectors,
    `The page: ${title || 'untitled'}, ${url || 'no address'}, HTTP status ${status ?? NONE}, ${errors}`,
    ...nearest.map(({ role, name }) => `  ${role} "${name}"`),
  ];
}
