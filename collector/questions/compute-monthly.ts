import type { AnyDimension, TimeRange } from '../../shared/vocabulary/dimensions.ts';
import type { PeriodChange } from '../analysis/documents/answers.ts';
import type { SummaryCell } from '../analysis/summary/summary-document.ts';
import { type BusinessHours, rangesWithin } from '../analysis/time/business-hours.ts';
import { stepBounds } from '../analysis/time/step-bounds.ts';
import { utc, wallTime } from '../analysis/time/zoned-time.ts';
import type { OpenedRange, ReadingSource } from '../storage/passes/reading-source.ts';
import { DAY_MS, HOUR_MS } from '../storage/rollups/resolutions.ts';
import { StoreError } from '../storage/store-error.ts';
import { type ComputeMethod, foldedCells, methodOf } from './compute-method.ts';
import { computeSteps, timelineReadings } from './compute-timeline.ts';
import { explainExpired } from './explain-expired.ts';
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
  readonly now: TimeRange;
  readonly before: TimeRange;
  /** null counts all hours. */
  readonly hours: BusinessHours | null;
  /** Whose days and hours they are, an IANA name. */
  readonly zone: string;
}

export interface MonthlyAnswer extends ComputeMethod {
  /** `both`: rollups, and samples where business hours begin or end inside of an hour of UTC. */
  readonly answeredFrom: 'rollups' | 'samples' | 'both';
  /** Whether the quartiles of Tukey's fences are those of every value; null without fences. */
  readonly exactQuartiles: boolean | null;
  /** Requests that the outlier rule left out; null without one. */
  readonly outliers: number | null;
  /** null where there is nothing, or nothing that may be shown. */
  readonly whole: SummaryCell | null;
  readonly wholeBefore: SummaryCell | null;
  readonly cells: readonly SummaryCell[];
  readonly scenarios: readonly SummaryCell[];
  readonly hosts: readonly SummaryCell[];
  readonly hostsBefore: readonly SummaryCell[];
  /** Median and average of each day, ms; `at` is midnight of its date in UTC, in whichever zone it began. */
  readonly days: readonly { readonly at: number; readonly median: number | null; readonly mean: number | null }[];
  /** False where the period before is no longer kept as finely as it would have to be read. */
  readonly beforeKept: boolean;
  /** null where it is not kept. */
  readonly beforeHash: string | null;
  readonly change: PeriodChange | null;
}

/** Everything of the monthly report, of one moment. */
export function computeMonthly(source: ReadingSource, question: MonthlyQuestion): MonthlyAnswer {
  const { hours, zone } = question;
  const periodOf = (range: TimeRange): Period => ({
    range,
    within: hours === null ? null : rangesWithin(range, hours, zone),
  });
  const periods = { now: periodOf(question.now), before: periodOf(question.before) };
  const atFullHours = [periods.now, periods.before].every(({ within }) => (within ?? []).every(isOfFullHours));
  try {
    const { fromSamples, ...answer } = computePeriods(source, question, periods);
    return { answeredFrom: fromSamples ? 'samples' : atFullHours ? 'rollups' : 'both', ...answer };
  } catch (error) {
    throw explainExpired(error, question, atFullHours);
  }
}

function isOfFullHours({ from, to }: TimeRange): boolean {
  return from % HOUR_MS === 0 && to % HOUR_MS === 0;
}

type Periods = Readonly<Record<'now' | 'before', Period>>;

function computePeriods(
  source: ReadingSource,
  question: MonthlyQuestion,
  periods: Periods,
): Omit<MonthlyAnswer, 'answeredFrom'> & { readonly fromSamples: boolean } {
  const { filters, foldBelow } = question;
  const opened = openPeriod(source, periods.now, question, timelineReadings(foldBelow));
  const earlier = whereKept(() => openPeriod(source, periods.before, question));
  const now = readPeriod(source, opened, periods.now, NOW, question);
  const before = earlier === null ? null : readPeriod(source, earlier, periods.before, BEFORE, question);
  const { line, daysBy } = dayByDay(source, question, now, opened);
  const [all, groups, scenarios, hosts] = now.groups;
  const whole = all?.cells[0] ?? null;
  const [allBefore, hostsBefore] = before?.groups ?? [];
  const sides = [sideOf(periods.before, earlier, before, allBefore), sideOf(periods.now, opened, now, all)] as const;
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
    wholeBefore: allBefore?.cells[0] ?? null,
    cells: groups?.cells ?? [],
    scenarios: scenarios?.cells ?? [],
    hosts: hosts?.cells ?? [],
    hostsBefore: hostsBefore?.cells ?? [],
    days: (line?.steps ?? []).map((at, i) => {
      const step = line?.cells[0]?.steps[i];
      return { at: dateOf(at, daysBy), median: step?.median ?? null, mean: step?.mean ?? null };
    }),
    beforeKept: earlier !== null,
    beforeHash: earlier?.dataHash ?? null,
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

/** Midnight of the same date in UTC: as which it is written. */
function dateOf(at: number, zone: string): number {
  const { year, month, day } = wallTime(at, zone);
  return utc(year, month, day);
}

/** In the zone's days, or in those of UTC where the hours are gone that others are made from. */
function dayByDay(source: ReadingSource, question: MonthlyQuestion, { selection }: ReadPeriod, opened: OpenedRange) {
  const { now, filters, exact, foldBelow, zone } = question;
  // Days of the zone are made from hours; where these are gone, days of UTC are still there.
  for (const daysBy of [zone, 'UTC']) {
    const bounds = stepBounds(now, DAY_MS, daysBy);
    const steps = { range: now, filters, by: [], time: 'ttlb', exact, foldBelow, bounds } as const;
    const line = whereKept(() => computeSteps(source, steps, selection, opened));
    if (line !== null) return { line, daysBy };
  }
  return { line: null, daysBy: zone };
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
