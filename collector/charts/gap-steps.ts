import type { Gap } from '../analysis/summary/summary-document.ts';
import type { Texts } from '../analysis/text/english.ts';
import type { Mark } from './drawing.ts';

/** One bar of the steps from the median to the average. */
export interface GapStep {
  readonly id: 'median' | 'setup' | 'tail' | 'spread' | 'mean';
  readonly label: string;
  readonly from: number;
  readonly to: number;
  /** Milliseconds added (or removed); the full value for the two ends. */
  readonly value: number;
  /** Which requests make it. */
  readonly requests?: Mark['requests'];
}

/** median + set-up + slow group, if there is one, + spread = average, each step starting where the last one ended. */
export function gapSteps(gap: Gap, { chart }: Texts): readonly GapStep[] {
  const afterSetup = gap.median + gap.setup;
  const afterTail = afterSetup + gap.tail;
  const steps: readonly GapStep[] = [
    { id: 'median', label: chart.median, from: 0, to: gap.median, value: gap.median },
    {
      id: 'setup',
      label: chart.setup,
      from: gap.median,
      to: afterSetup,
      value: gap.setup,
      requests: { metric: 'setup' },
    },
    {
      id: 'tail',
      label: chart.tail(gap),
      from: afterSetup,
      to: afterTail,
      value: gap.tail,
      requests: { min: String(gap.tailFrom) },
    },
    { id: 'spread', label: chart.spread, from: afterTail, to: gap.mean, value: gap.spread },
    { id: 'mean', label: chart.average, from: 0, to: gap.mean, value: gap.mean },
  ];
  return steps.filter(({ id }) => id !== 'tail' || gap.tailSamples > 0);
}
