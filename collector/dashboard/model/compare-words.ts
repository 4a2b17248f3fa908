import { MIN_RELATIVE_CHANGE } from '../../../shared/statistics/change.ts';
import { partsOfKey } from '../../../shared/vocabulary/dimensions.ts';
import { column, type TableDocument } from '../../analysis/tables/table-document.ts';
import type { CompareCell, CompareDocument } from '../../questions/compare.ts';
import { COMPARE } from '../text/compare.ts';
import { t } from '../text/t.ts';
import { valueLabel } from './value-label.ts';

const text = COMPARE;

/** Outcome of a comparison. */
export type Outcome = 'slower' | 'faster' | 'same' | 'unknown';

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
  const words = partsOfKey(cell).map(({ dimension, value }) =>
    value === null ? text.without(dimension) : valueLabel(dimension, value, null),
  );
  return words.length === 0 ? t.all : words.join(' · ');
}

/** `Porto is 12 ms slower than Hannover, interval 8 to 15 ms: more than noise.` */
export function compareSentence(cell: CompareCell, sides: Sides): string {
  const { before, after, change } = cell;
  const { a, b, inTime } = sides;
  const { sentence } = text;
  if (before === null && after === null) return sentence.neither;
  if (before === null) return inTime ? sentence.notBefore : sentence.sideMissing(a);
  if (after === null) return inTime ? sentence.notAfter : sentence.sideMissing(b);
  if (change === null) {
    return inTime
      ? sentence.mediansInTime(before.median, after.median)
      : sentence.medians(sides, before.median, after.median);
  }
  const { difference, interval, changed } = change;
  if (changed) {
    return inTime ? sentence.changed(difference, interval) : sentence.differs(sides, difference, interval);
  }
  const why = whyNot(change);
  return inTime ? sentence.unchanged(why, interval) : sentence.same(sides, why, interval);
}

/** For one group, its own sentence; for several, how many changed and which changed most. */
export function comparisonSentence(cells: readonly CompareCell[], sides: Sides): string {
  const [first] = cells;
  if (first === undefined) return '';
  if (cells.length === 1) return compareSentence(first, sides);
  const changed = cells.filter(({ change }) => change?.changed);
  const [any] = changed;
  if (any === undefined) {
    return cells.every(({ change }) => change === null)
      ? text.sentence.noGroup
      : text.sentence.noneDiffers(cells.length);
  }
  // A change based on few samples is named only if there is no other.
  const sure = changed.filter((cell) => compareDoubts(cell).length === 0);
  const most = [...(sure.length > 0 ? sure : changed)].sort((one, other) => size(other) - size(one))[0] ?? any;
  const slower = changed.filter((cell) => outcomeOf(cell) === 'slower').length;
  const faster = changed.length - slower;
  return text.sentence.several(slower, faster, cells.length, groupName(most), compareSentence(most, sides));
}

function size({ change }: CompareCell): number {
  return change === null ? 0 : Math.abs(change.difference);
}

function whyNot({ interval, difference, before }: NonNullable<CompareCell['change']>): string {
  const { includesZero, tooSmall, belowClockStep } = text.sentence;
  if (interval[0] <= 0 && interval[1] >= 0) return includesZero(difference);
  return Math.abs(difference) < MIN_RELATIVE_CHANGE * Math.abs(before)
    ? tooSmall(difference)
    : belowClockStep(difference);
}

/** Reasons to doubt a result. */
export function compareDoubts({ before, after, change }: CompareCell): string[] {
  const doubts: string[] = [];
  if (change?.because === 'few_browsers') {
    doubts.push(text.doubts.fewBrowsers);
  }
  if (change?.because === 'unknown_browsers') {
    doubts.push(text.doubts.unknownBrowsers);
  }
  if ([before, after].some((side) => side?.keepMeasuring.includes('few_samples'))) {
    doubts.push(text.doubts.fewSamples);
  }
  return doubts;
}

/** Of intervals at 95 %. */
const ERROR_RATE = 0.05;
/** From here on, a change by chance is as likely as not to be among them (1 − 0.95^10 = 0.4). */
const MANY_GROUPS = 10;

/** For one group, its own reasons; for several, the names of the changed groups to doubt. */
export function comparisonDoubts(cells: readonly CompareCell[], grouped: boolean): string[] {
  if (!grouped) return cells.slice(0, 1).flatMap(compareDoubts);
  const changed = cells.filter(({ change }) => change?.changed);
  const doubtful = changed.filter((cell) => compareDoubts(cell).length > 0);
  const expected = Math.ceil(cells.length * ERROR_RATE);
  return [
    ...(changed.length > 0 && changed.length <= expected && cells.length >= MANY_GROUPS
      ? [text.doubts.chance(expected, cells.length)]
      : []),
    ...(doubtful.length === 0 ? [] : [text.doubts.groups(doubtful.slice(0, 3).map(groupName), doubtful.length - 3)]),
  ];
}

export function compareTable({ cells }: CompareDocument, sides: Sides): TableDocument {
  const [a, b] = sides.inTime ? [text.before, text.now] : [sides.a, sides.b];
  const { title, columns, notes } = text.table;
  return {
    title,
    columns: [
      column('group', columns.group, 'text'),
      column('outcome', columns.outcome, 'text'),
      column('a', columns.median(a), 'ms'),
      column('b', columns.median(b), 'ms'),
      column('difference', columns.difference, 'ms'),
      column('low', columns.low, 'ms'),
      column('high', columns.high, 'ms'),
      column('na', columns.samples(a), 'count'),
      column('nb', columns.samples(b), 'count'),
    ],
    rows: cells.map((cell) => ({
      group: groupName(cell),
      outcome: text.outcomes[outcomeOf(cell)],
      a: cell.before?.median ?? null,
      b: cell.after?.median ?? null,
      difference: cell.change?.difference ?? null,
      low: cell.change?.interval[0] ?? null,
      high: cell.change?.interval[1] ?? null,
      na: cell.before?.n ?? 0,
      nb: cell.after?.n ?? 0,
    })),
    notes,
  };
}
