import type { Breakage } from '../../../shared/journeys/breakage.ts';
import { evidenceTexts, PROBE_REASONS } from '../../analysis/text/probe-reasons.ts';
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
    ...(broke === null ? [] : evidenceTexts(broke, PROBE_REASONS)),
  ];
}

function isOver({ ms, thresholdMs }: JourneyRun['steps'][number]): boolean {
  return ms !== null && thresholdMs !== null && ms > thresholdMs;
}

export function explainBreakage({ step, reason, detail }: Breakage, total: number, name = ''): string {
  const more = detail === null ? '' : ` (${detail})`;
  return `step ${step} of ${total}, ${name}: ${PROBE_REASONS.breaks[reason]}${more}.`;
}
