import { MIN_RELATIVE_CHANGE } from '../../../shared/statistics/change.ts';
import { partsOfKey } from '../../../shared/vocabulary/dimensions.ts';
import { fillColumns, type TableDocument } from '../../analysis/tables/table-document.ts';
import type { CompareCell, CompareDocument } from '../../questions/compare.ts';
import { type AppNames, valueLabel } from '../model/value-label.ts';
import { COMPARE } from '../text/compare.ts';
import { t } from '../text/t.ts';

const text = COMPARE;

/** Outcome of a comparison. */
export type Outcome = 'slower' | 'faster' | 'same' | 'unknown' | 'few';

export interface Sides {
  readonly a: string;
  readonly b: string;
  /** The sides are two ranges, so the texts speak of a change, not of a difference. */
  readonly inTime: boolean;
  readonly names: AppNames;
}

export function toOutcome({ change, notCompared }: Pick<CompareCell, 'change' | 'notCompared'>): Outcome {
  if (change === null) return notCompared === 'not_measured' ? 'unknown' : 'few';
  if (!change.changed) return 'same';
  return change.difference > 0 ? 'slower' : 'faster';
}

/** The group's name; `All requests` if ungrouped. */
export function groupName(cell: CompareCell, names: AppNames): string {
  const words = partsOfKey(cell).map(({ dimension, value }) =>
    value === null ? text.without(dimension) : valueLabel(dimension, value, names),
  );
  return words.length === 0 ? t.all : words.join(' · ');
}

/** `Porto is 12 ms slower than Hannover, interval 8 to 15 ms.` */
export function compareSentence(cell: CompareCell, sides: Sides): string {
  const { before, after, change, notCompared } = cell;
  const { a, b, inTime } = sides;
  const { sentence } = text;
  if (before === null && after === null) return sentence.neither;
  if (before === null) return inTime ? sentence.notBefore : sentence.sideMissing(a);
  if (after === null) return inTime ? sentence.notAfter : sentence.sideMissing(b);
  if (change === null) {
    const why = sentence.notCompared[notCompared ?? 'not_measured'];
    return inTime
      ? sentence.mediansInTime(before.median, after.median, why)
      : sentence.medians(sides, before.median, after.median, why);
  }
  const { difference, interval, changed } = change;
  if (changed) {
    return inTime ? sentence.changed(difference, interval) : sentence.differs(sides, difference, interval);
  }
  const why = whyNot(change);
  return inTime ? sentence.unchanged(difference, interval, why) : sentence.same(sides, difference, interval, why);
}

/** For one group, its own sentence; for several, how many changed and which changed most. */
export function comparisonSentence(cells: readonly CompareCell[], sides: Sides): string {
  const [first] = cells;
  if (first === undefined) return '';
  if (cells.length === 1) return compareSentence(first, sides);
  const compared = cells.filter(({ change }) => change !== null);
  const changed = compared.filter(({ change }) => change?.changed);
  const [most] = [...changed].sort((one, other) => size(other) - size(one));
  if (most === undefined) {
    const missing = (['before', 'after'] as const).find((side) => cells.every((cell) => cell[side] === null));
    if (missing !== undefined) {
      if (sides.inTime) return missing === 'before' ? text.sentence.notBefore : text.sentence.notAfter;
      return text.sentence.sideMissing(missing === 'before' ? sides.a : sides.b);
    }
    return compared.length === 0 ? text.sentence.noGroup : text.sentence.noneDiffers(compared.length);
  }
  const slower = changed.filter((cell) => toOutcome(cell) === 'slower').length;
  const faster = changed.length - slower;
  return text.sentence.several(
    slower,
    faster,
    compared.length,
    groupName(most, sides.names),
    compareSentence(most, sides),
  );
}

function size({ change }: CompareCell): number {
  return change === null ? 0 : Math.abs(change.difference);
}

/** Nothing where the interval says it. */
function whyNot({ interval, difference, before }: NonNullable<CompareCell['change']>): string {
  if (interval[0] <= 0 && interval[1] >= 0) return '';
  const { tooSmall, belowClockStep } = text.sentence;
  return Math.abs(difference) < MIN_RELATIVE_CHANGE * Math.abs(before) ? tooSmall : belowClockStep;
}

/** Error rate of intervals at 95 %. */
const ERROR_RATE = 0.05;
/** From here on, a change by chance is as likely as not to be among them (1 − 0.95^10 = 0.4). */
const MANY_GROUPS = 10;

/** Reasons to doubt a result. */
export function comparisonDoubts(cells: readonly CompareCell[]): string[] {
  const compared = cells.flatMap(({ change }) => change ?? []);
  const changed = compared.filter((change) => change.changed).length;
  const expected = Math.ceil(compared.length * ERROR_RATE);
  const because = new Set(compared.flatMap((change) => change.because ?? []));
  return [
    ...(changed > 0 && changed <= expected && compared.length >= MANY_GROUPS
      ? [text.doubts.chance(expected, compared.length)]
      : []),
    ...[...because].map((reason) => text.doubts[reason]),
  ];
}

export function compareTable({ cells }: CompareDocument, sides: Sides): TableDocument {
  const [a, b] = sides.inTime ? [text.before, text.now] : [sides.a, sides.b];
  const { title, columns, notes } = text.table;
  return {
    title,
    ...fillColumns(cells, [
      ['group', columns.group, 'text', (cell) => groupName(cell, sides.names)],
      ['outcome', columns.outcome, 'text', (cell) => text.outcomes[toOutcome(cell)]],
      ['a', columns.median(a), 'ms', ({ before }) => before?.median ?? null],
      ['b', columns.median(b), 'ms', ({ after }) => after?.median ?? null],
      ['difference', columns.difference, 'ms', ({ change }) => change?.difference ?? null],
      ['low', columns.low, 'ms', ({ change }) => change?.interval[0] ?? null],
      ['high', columns.high, 'ms', ({ change }) => change?.interval[1] ?? null],
      ['na', columns.samples(a), 'count', ({ before }) => before?.n ?? 0],
      ['nb', columns.samples(b), 'count', ({ after }) => after?.n ?? 0],
    ]),
    notes,
  };
}
