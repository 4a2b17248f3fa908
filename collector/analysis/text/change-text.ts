import { type Change, MIN_RELATIVE_CHANGE } from '../../../shared/statistics/change.ts';
import type { TimeStatistics } from '../../../shared/statistics/time-statistics.ts';
import { type CellKey, partsOfKey } from '../../../shared/vocabulary/dimensions.ts';
import { amount } from './amount.ts';
import { DIMENSION_LABELS } from './dimension-labels.ts';

export interface CompareChange extends Change {
  /** Samples of each side that the interval was drawn from: a larger group is represented by an even choice. */
  readonly drawnFrom: readonly [before: number, after: number];
}

interface Sides {
  readonly before: TimeStatistics | null;
  readonly after: TimeStatistics | null;
  readonly change: CompareChange | null;
}

/** The result of a comparison as one or two sentences. */
export function changeText(key: CellKey, time: string, { before, after, change }: Sides): string {
  const words = partsOfKey(key).map(
    ({ dimension, value }) => value ?? `${DIMENSION_LABELS[dimension].toLowerCase()} (none)`,
  );
  const subject = `${words.length === 0 ? 'All requests' : words.join(', ')}, ${time}`;
  if (before === null && after === null) return `${subject}: not measured on either side.`;
  if (before === null) return `${subject}: not measured before; now the median is ${amount(after?.median ?? 0)} ms.`;
  if (after === null) return `${subject}: no longer measured; the median was ${amount(before.median)} ms.`;
  const medians = `median ${amount(before.median)} ms before, ${amount(after.median)} ms after`;
  if (change === null) return `${subject}: ${medians}.`;
  const { difference, interval, changed } = change;
  const span = `95 % between ${amount(interval[0])} and ${amount(interval[1])} ms`;
  const doubt = doubtOf(change);
  if (!changed)
    return `${subject}: ${medians}. No change that stands out from chance: ${whyNot(change)} (${span}).${doubt}`;
  const direction = difference > 0 ? 'slower' : 'faster';
  return `${subject}: ${medians}. It became ${amount(Math.abs(difference))} ms ${direction} (${span}).${doubt}`;
}

function whyNot({ interval, difference, before }: CompareChange): string {
  if (interval[0] <= 0 && interval[1] >= 0) return 'the interval of the difference contains 0';
  return Math.abs(difference) < MIN_RELATIVE_CHANGE * Math.abs(before)
    ? `the difference is below ${MIN_RELATIVE_CHANGE * 100} %`
    : 'the difference is below the clock step of the browsers';
}

function doubtOf({ because }: CompareChange): string {
  if (because === null) return '';
  return because === 'few_browsers'
    ? ' Few browsers measured it, so the interval is drawn over requests and too narrow.'
    : ' The browsers are not known, so the interval is drawn over requests and too narrow.';
}
