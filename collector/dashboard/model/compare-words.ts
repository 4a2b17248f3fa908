import { MIN_RELATIVE_CHANGE } from '../../../shared/statistics/change.ts';
import { partsOfKey } from '../../../shared/vocabulary/dimensions.ts';
import { column, type TableDocument } from '../../analysis/tables/table-document.ts';
import type { CompareCell, CompareDocument } from '../../questions/compare.ts';
import { formatDifference, formatMs, plural } from '../text/format.ts';
import { t } from '../text/t.ts';

/** Outcome of a comparison. */
export type Outcome = 'slower' | 'faster' | 'same' | 'unknown';

export const OUTCOME_LABELS: Readonly<Record<Outcome, string>> = {
  slower: 'Slower',
  faster: 'Faster',
  same: 'No change',
  unknown: 'Not measured',
};

export interface Sides {
  readonly a: string;
  readonly b: string;
  /** The sides are two ranges, so the texts speak of a change, not of a difference. */
  readonly inTime: boolean;
}

export function outcomeOf({ change }: Pick<CompareCell, 'change'>): Outcome {
  if (change === null) return 'unknown';
  if (!change.changed) return 'same';
  return change.difference > 0 ? 'slower' : 'faster';
}

/** The group's name; `All requests` if ungrouped. */
export function groupName(cell: CompareCell): string {
  const words = partsOfKey(cell).map(({ dimension, value }) => value ?? `no ${t.dimensions[dimension].toLowerCase()}`);
  return words.length === 0 ? 'All requests' : words.join(' · ');
}

/** `Porto is 12 ms slower than Hannover, interval 8 to 15 ms: more than noise.` */
export function compareSentence(cell: CompareCell, { a, b, inTime }: Sides): string {
  const { before, after, change } = cell;
  const [later, earlier] = inTime ? ['now', 'before'] : [b, a];
  if (before === null && after === null) return 'Neither side was measured.';
  if (before === null) return inTime ? 'Not measured before.' : `${a} was not measured.`;
  if (after === null) return inTime ? 'No longer measured.' : `${b} was not measured.`;
  const medians = `median ${formatMs(after.median)} ms ${inTime ? '' : 'at '}${later}, ${formatMs(before.median)} ms ${inTime ? '' : 'at '}${earlier}`;
  if (change === null) return `The ${medians}.`;
  const { difference, interval, changed } = change;
  const span = `${formatDifference(interval[0])} to ${formatDifference(interval[1])} ms`;
  if (!changed) {
    const why = whyNot(change);
    return inTime
      ? `No change beyond noise: ${why} (${span}).`
      : `No difference between ${a} and ${b} beyond noise: ${why} (${span}).`;
  }
  const size = `${formatMs(Math.abs(difference))} ms ${difference > 0 ? 'slower' : 'faster'}`;
  const [low, high] = difference > 0 ? interval : ([-interval[1], -interval[0]] as const);
  const bounds = `interval ${formatMs(low)} to ${formatMs(high)} ms: more than noise`;
  return inTime ? `${size} than before, ${bounds}.` : `${b} is ${size} than ${a}, ${bounds}.`;
}

/** For one group, its own sentence; for several, how many changed and which changed most. */
export function comparisonSentence(cells: readonly CompareCell[], sides: Sides): string {
  const [first] = cells;
  if (first === undefined) return '';
  // A sentence that starts with a name keeps the name's case.
  if (cells.length === 1) return sides.inTime ? capital(compareSentence(first, sides)) : compareSentence(first, sides);
  const changed = cells.filter(({ change }) => change?.changed);
  const [any] = changed;
  if (any === undefined) {
    return cells.every(({ change }) => change === null)
      ? 'No group was measured on both sides.'
      : `None of ${plural(cells.length, 'group')} differs by more than noise.`;
  }
  // A change based on few samples is named only if there is no other.
  const sure = changed.filter((cell) => compareDoubts(cell).length === 0);
  const most = [...(sure.length > 0 ? sure : changed)].sort((one, other) => size(other) - size(one))[0] ?? any;
  const slower = changed.filter((cell) => outcomeOf(cell) === 'slower').length;
  const counts = [
    ...(slower > 0 ? [`${slower} slower`] : []),
    ...(slower < changed.length ? [`${changed.length - slower} faster`] : []),
  ].join(', ');
  return `${counts} of ${plural(cells.length, 'group')}. Largest change: ${groupName(most)}: ${compareSentence(most, sides)}`;
}

function size({ change }: CompareCell): number {
  return change === null ? 0 : Math.abs(change.difference);
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function whyNot({ interval, difference, before }: NonNullable<CompareCell['change']>): string {
  if (interval[0] <= 0 && interval[1] >= 0) return `${formatDifference(difference)} ms, and the interval includes 0`;
  if (Math.abs(difference) < MIN_RELATIVE_CHANGE * Math.abs(before)) {
    return `${formatDifference(difference)} ms is less than ${MIN_RELATIVE_CHANGE * 100} % of the median`;
  }
  return `${formatDifference(difference)} ms is less than the browsers’ clock step`;
}

/** Reasons to doubt a result. */
export function compareDoubts({ before, after, change }: CompareCell): string[] {
  const doubts: string[] = [];
  if (change?.because === 'few_browsers') {
    doubts.push('One side has fewer than 6 browsers, so the interval is based on requests and is too narrow.');
  }
  if (change?.because === 'unknown_browsers') {
    doubts.push('The browsers are unknown, so the interval is based on requests and is too narrow.');
  }
  if ([before, after].some((side) => side?.keepMeasuring.includes('few_samples'))) {
    doubts.push('One side has fewer than 30 samples: keep measuring.');
  }
  return doubts;
}

/** For one group, its own reasons; for several, the names of the changed groups to doubt. */
export function comparisonDoubts(cells: readonly CompareCell[], grouped: boolean): string[] {
  if (!grouped) return cells.slice(0, 1).flatMap(compareDoubts);
  const doubtful = cells.filter((cell) => cell.change?.changed && compareDoubts(cell).length > 0);
  if (doubtful.length === 0) return [];
  const names = doubtful.slice(0, 3).map(groupName).join(', ');
  const more = doubtful.length > 3 ? ` and ${doubtful.length - 3} more` : '';
  return [`Keep measuring ${names}${more}: the change is based on few samples or few browsers.`];
}

export function compareTable({ cells }: CompareDocument, sides: Sides): TableDocument {
  const [a, b] = sides.inTime ? ['before', 'now'] : [sides.a, sides.b];
  return {
    title: 'By group',
    columns: [
      column('group', 'Group', 'text'),
      column('outcome', 'Result', 'text'),
      column('a', `Median, ${a}`, 'ms'),
      column('b', `Median, ${b}`, 'ms'),
      column('difference', 'Difference', 'ms'),
      column('low', 'From', 'ms'),
      column('high', 'To', 'ms'),
      column('na', `Samples, ${a}`, 'count'),
      column('nb', `Samples, ${b}`, 'count'),
    ],
    rows: cells.map((cell) => ({
      group: groupName(cell),
      outcome: OUTCOME_LABELS[outcomeOf(cell)],
      a: cell.before?.median ?? null,
      b: cell.after?.median ?? null,
      difference: cell.change?.difference ?? null,
      low: cell.change?.interval[0] ?? null,
      high: cell.change?.interval[1] ?? null,
      na: cell.before?.n ?? 0,
      nb: cell.after?.n ?? 0,
    })),
    notes: [
      'From and to: the 95 % interval of the difference of medians, from a seeded bootstrap over browsers.',
      'A difference counts as a change only if the interval excludes 0 and the difference is at least 5 % and at least the browsers’ clock step.',
    ],
  };
}
