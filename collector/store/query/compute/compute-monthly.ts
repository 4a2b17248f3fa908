import type { PeriodChange } from '../../../../shared/summary/answers.ts';
import type { AnyDimension } from '../../../../shared/summary/dimensions.ts';
import type { SummaryCell } from '../../../../shared/summary/summary-document.ts';
import { StoreError } from '../../store-error.ts';
import { type ComputeMethod, type ComputeSource, foldedCells, methodOf, type OpenedRange } from './compute-source.ts';
import { computeTimeline, timelineReadings } from './compute-timeline.ts';
import { type ChangeSide, monthlyChange } from './monthly-change.ts';
import {
  openPeriod,
  type Period,
  type PeriodGroups,
  type PeriodRules,
  type ReadPeriod,
  readPeriod,
} from './read-period.ts';

/** All requests as one come first: they tell what a change is told of. */
const NOW: readonly (readonly AnyDimension[])[] = [[], ['host', 'type'], ['scenario'], ['host']];
const BEFORE: readonly (readonly AnyDimension[])[] = [[], ['host']];

export interface MonthlyQuestion extends PeriodRules {
  readonly now: Period;
  readonly before: Period;
  /**
   * Where each day begins, and where the last one ends: ascending epoch ms, the range of now within. The first of these
   * that can be told of what is kept.
   */
  readonly days: readonly (readonly number[])[];
}

export interface MonthlyAnswer extends ComputeMethod {
  /** Sample by sample, and not from rollups. */
  readonly fromSamples: boolean;
  /** Whether the quartiles of Tukey's fences are those of every value; null without fences. */
  readonly exactQuartiles: boolean | null;
  /** Requests that the outlier rule left out; null without one. */
  readonly outliers: number | null;
  /** null where there is nothing, or nothing that may be shown. */
  readonly whole: SummaryCell | null;
  readonly cells: readonly SummaryCell[];
  readonly scenarios: readonly SummaryCell[];
  readonly hosts: readonly SummaryCell[];
  /** Median and average of each day, ms. */
  readonly days: readonly { readonly at: number; readonly median: number | null; readonly mean: number | null }[];
  /** Which of the asked. */
  readonly daysBy: number;
  /** null where it is no longer kept as finely as it would have to be read. */
  readonly before: {
    readonly dataHash: string;
    readonly whole: SummaryCell | null;
    readonly hosts: readonly SummaryCell[];
  } | null;
  readonly change: PeriodChange | null;
}

/** Everything of the monthly report, of one moment. */
export function computeMonthly(source: ComputeSource, question: MonthlyQuestion): MonthlyAnswer {
  const { filters, foldBelow } = question;
  const opened = openPeriod(source, question.now, question, timelineReadings(foldBelow, filters));
  const earlier = whereKept(() => openPeriod(source, question.before, question));
  const now = readPeriod(source, opened, question.now.within, NOW, question);
  const before = earlier === null ? null : readPeriod(source, earlier, question.before.within, BEFORE, question);
  const { line, daysBy } = dayByDay(source, question, now, opened);
  const [all, groups, scenarios, hosts] = now.groups;
  const whole = all?.cells[0] ?? null;
  const [allBefore, hostsBefore] = before?.groups ?? [];
  const sides = [sideOf(question.before, earlier, before, allBefore), sideOf(question.now, opened, now, all)] as const;
  return {
    ...methodOf(
      opened,
      groups?.folded == null ? null : foldedCells(groups.folded, foldBelow),
      now.exact && before?.exact !== false,
    ),
    fromSamples: opened.fine,
    exactQuartiles: now.exactQuartiles,
    outliers: now.outliers,
    whole: whole === null ? null : { ...whole, overheads: now.overheads },
    cells: groups?.cells ?? [],
    scenarios: scenarios?.cells ?? [],
    hosts: hosts?.cells ?? [],
    days: (line?.steps ?? []).map((at, i) => {
      const step = line?.cells[0]?.steps[i];
      return { at, median: step?.median ?? null, mean: step?.mean ?? null };
    }),
    daysBy,
    before:
      earlier === null
        ? null
        : { dataHash: earlier.dataHash, whole: allBefore?.cells[0] ?? null, hosts: hostsBefore?.cells ?? [] },
    change: sides[0] === null || sides[1] === null ? null : monthlyChange(source, filters, sides[0], sides[1]),
  };
}

/** null where it is no longer kept as finely: a report is worth having without the period before. */
function whereKept<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof StoreError && error.code === 'samples_expired') return null;
    throw error;
  }
}

function dayByDay(source: ComputeSource, question: MonthlyQuestion, { selection }: ReadPeriod, opened: OpenedRange) {
  const { now, filters, exact, foldBelow, days } = question;
  for (const [daysBy, bounds] of days.entries()) {
    const steps = { range: now.range, filters, by: [], time: 'ttlb', exact, foldBelow, bounds } as const;
    const line = whereKept(() => computeTimeline(source, steps, selection, opened));
    if (line !== null) return { line, daysBy };
  }
  return { line: null, daysBy: 0 };
}

/** null where a side is not kept, has no times, or may not be shown. */
function sideOf(
  { range }: Period,
  opened: OpenedRange | null,
  period: ReadPeriod | null,
  all: PeriodGroups | undefined,
): ChangeSide | null {
  const values = all?.values ?? null;
  if (opened === null || period === null || values === null || values.n === 0) return null;
  return { range, selection: period.selection, samples: opened.samples, values };
}
