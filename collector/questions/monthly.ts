import { Type } from 'typebox';
import type { NotCompared } from '../../shared/statistics/comparability.ts';
import type { AnyDimension, Filters, TimeRange } from '../../shared/vocabulary/dimensions.ts';
import type { SummaryCell, SummaryMethod } from '../analysis/summary/summary-document.ts';
import { type BusinessHours, rangesWithin } from '../analysis/time/business-hours.ts';
import { stepBounds } from '../analysis/time/step-bounds.ts';
import { utc, wallTime } from '../analysis/time/zoned-time.ts';
import type { OutlierRule } from '../storage/passes/mark-outliers.ts';
import type { OpenedRange, ReadingSource } from '../storage/passes/reading-source.ts';
import { StoreError, whereKept } from '../storage/store-error.ts';
import { type ChangeSide, monthlyChange, type PeriodChange } from './monthly-change.ts';
import { checkSteps } from './query-context.ts';
import { type Computed, describeMethod, foldedCells, question } from './question.ts';
import {
  openPeriod,
  type Period,
  type PeriodGroups,
  type PeriodRules,
  type ReadPeriod,
  readPeriod,
} from './read-period.ts';
import { readSteps, timelineReadings } from './timeline.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** All requests as one group come first: the change is computed from them. */
const NOW: readonly (readonly AnyDimension[])[] = [[], ['host', 'type'], ['scenario'], ['host'], ['target'], ['site']];
const BEFORE: readonly (readonly AnyDimension[])[] = [[], ['host'], ['target'], ['site']];

/** All numbers of the monthly report. */
export interface MonthlyDocument {
  readonly method: SummaryMethod;
  /** null if it is not kept. */
  readonly beforeHash: string | null;
  /** `both`: rollups, and samples where business hours begin or end within an hour of UTC. */
  readonly answeredFrom: 'rollups' | 'samples' | 'both';
  /** Whether the quartiles of Tukey's fences are exact; null without fences. */
  readonly exactQuartiles: boolean | null;
  /** Requests that the outlier rule left out; null without one. */
  readonly outliers: number | null;
  /** All requests together; null if there are none, or too few browsers to be shown. */
  readonly whole: SummaryCell | null;
  readonly wholeBefore: SummaryCell | null;
  /** Grouped by host and type, as `method` says. */
  readonly cells: readonly SummaryCell[];
  readonly scenarios: readonly SummaryCell[];
  readonly hosts: readonly SummaryCell[];
  readonly hostsBefore: readonly SummaryCell[];
  readonly apps: readonly SummaryCell[];
  readonly appsBefore: readonly SummaryCell[];
  readonly sites: readonly SummaryCell[];
  readonly sitesBefore: readonly SummaryCell[];
  /** Median and average of each day, ms; `at` is midnight UTC of its date, whichever zone the day is in. */
  readonly days: readonly { readonly at: number; readonly median: number | null; readonly mean: number | null }[];
  /** False if the preceding period is no longer kept at the resolution needed. */
  readonly beforeKept: boolean;
  readonly change: PeriodChange | null;
  /** Why there is no change; null if there is one. */
  readonly notCompared: NotCompared | null;
}

/** How the monthly report counts. */
export interface MonthlyQuery {
  readonly range: TimeRange;
  readonly before: TimeRange;
  readonly filters: Filters;
  readonly exact: boolean;
  readonly outliers: OutlierRule;
  /** null counts all hours. */
  readonly hours: BusinessHours | null;
  /** Time zone of the days and hours, an IANA name. */
  readonly zone: string;
}

export interface MonthlyPlan extends PeriodRules, Pick<MonthlyQuery, 'hours' | 'zone'> {
  readonly now: TimeRange;
  readonly before: TimeRange;
}

/** All numbers of the monthly report, from one snapshot. */
export const monthly = question({
  name: 'monthly',
  address: null,
  description: 'The numbers of the monthly report.',
  parameters: {},
  query: (): MonthlyQuery => {
    throw new TypeError('the reports parse the parameters of a monthly report');
  },
  answer: Type.Unsafe<MonthlyDocument>(Type.Object({})),
  takesLong: () => true,
  /** Throws a QueryError for a range of too many days. */
  async plan({ range: _whole, before, ...query }, { range, rule, keptBefore }): Promise<MonthlyPlan> {
    const plan = { ...query, now: range, before: await keptBefore(before), ...rule };
    for (const period of [plan.now, plan.before]) checkSteps(period, DAY_MS);
    return plan;
  },
  asked: ({ now, filters }) => ({ range: now, filters, by: ['host', 'type'] }),
  async read(source, plan): Promise<Computed<MonthlyDocument>> {
    const { hours, zone } = plan;
    const periodOf = (range: TimeRange): Period => ({
      range,
      within: hours === null ? null : rangesWithin(range, hours, zone),
    });
    const periods = { now: periodOf(plan.now), before: periodOf(plan.before) };
    const atFullHours = [periods.now, periods.before].every(({ within }) => (within ?? []).every(isOfFullHours));
    try {
      const { fromSamples, beforeHash, ...answer } = await computePeriods(source, plan, periods);
      return { beforeHash, answeredFrom: fromSamples ? 'samples' : atFullHours ? 'rollups' : 'both', ...answer };
    } catch (error) {
      throw explainExpired(error, plan, atFullHours);
    }
  },
});

function isOfFullHours({ from, to }: TimeRange): boolean {
  return from % HOUR_MS === 0 && to % HOUR_MS === 0;
}

type Periods = Readonly<Record<'now' | 'before', Period>>;

async function computePeriods(
  source: ReadingSource,
  plan: MonthlyPlan,
  periods: Periods,
): Promise<Omit<Computed<MonthlyDocument>, 'answeredFrom'> & { readonly fromSamples: boolean }> {
  const { filters, minGroupSize } = plan;
  const opened = await openPeriod(source, periods.now, plan, timelineReadings(minGroupSize));
  const earlier = await whereKept(() => openPeriod(source, periods.before, plan));
  const now = await readPeriod(source, opened, periods.now, NOW, plan);
  const before = earlier === null ? null : await readPeriod(source, earlier, periods.before, BEFORE, plan);
  const { line, daysBy } = await dayByDay(source, plan, now, opened);
  const [all, groups, scenarios, hosts, apps, sites] = now.groups;
  const whole = all?.cells[0] ?? null;
  const [allBefore, hostsBefore, appsBefore, sitesBefore] = before?.groups ?? [];
  const sides = [
    await sideOf(periods.before, earlier, before, allBefore),
    await sideOf(periods.now, opened, now, all),
  ] as const;
  return {
    ...(await describeMethod(
      opened,
      groups?.folded == null ? null : foldedCells(groups.folded, minGroupSize),
      now.exact && before?.exact !== false,
    )),
    fromSamples: opened.fine,
    exactQuartiles: now.exactQuartiles,
    outliers: now.outliers,
    whole: whole === null ? null : { ...whole, overheads: now.overheads },
    wholeBefore: allBefore?.cells[0] ?? null,
    cells: groups?.cells ?? [],
    scenarios: scenarios?.cells ?? [],
    hosts: hosts?.cells ?? [],
    hostsBefore: hostsBefore?.cells ?? [],
    apps: apps?.cells ?? [],
    appsBefore: appsBefore?.cells ?? [],
    sites: sites?.cells ?? [],
    sitesBefore: sitesBefore?.cells ?? [],
    days: (line?.steps ?? []).map((at, i) => {
      const step = line?.cells[0]?.steps[i];
      return { at: dateOf(at, daysBy), median: step?.median ?? null, mean: step?.mean ?? null };
    }),
    beforeKept: earlier !== null,
    beforeHash: (await earlier?.stored())?.dataHash ?? null,
    ...(await monthlyChange(source, filters, ...sides)),
  };
}

/** Midnight UTC of the same date, by which a day is identified. */
function dateOf(at: number, zone: string): number {
  const { year, month, day } = wallTime(at, zone);
  return utc(year, month, day);
}

/** Splits by days of the zone, or by UTC days once the hourly rollups that other zones need are gone. */
async function dayByDay(source: ReadingSource, plan: MonthlyPlan, { selection }: ReadPeriod, opened: OpenedRange) {
  const { now, filters, exact, minGroupSize, zone } = plan;
  // Days of the zone are made from hours; when these are gone, days of UTC remain.
  for (const daysBy of [zone, 'UTC']) {
    const bounds = stepBounds(now, DAY_MS, daysBy);
    const steps = { range: now, filters, by: [], time: 'ttlb', exact, minGroupSize, bounds } as const;
    const line = await whereKept(() => readSteps(source, steps, selection, opened));
    if (line !== null) return { line, daysBy };
  }
  return { line: null, daysBy: zone };
}

/** null if a side is not kept, has no times, or may not be shown. */
async function sideOf(
  { range }: Period,
  opened: OpenedRange | null,
  period: ReadPeriod | null,
  all: PeriodGroups | undefined,
): Promise<ChangeSide | null> {
  const values = all?.values ?? null;
  if (opened === null || period === null || values === null || values.n === 0) return null;
  const browsers = all?.cells[0]?.browsers ?? null;
  return { range, selection: period.selection, samples: (await opened.stored()).samples, values, browsers };
}

interface Accounting {
  readonly hours: BusinessHours | null;
  readonly outliers: OutlierRule;
}

/** Says which accounting option needs data that are no longer kept, and what works instead; other errors unchanged. */
function explainExpired(error: unknown, { hours, outliers }: Accounting, atFullHours: boolean): unknown {
  if (!(error instanceof StoreError) || error.code !== 'samples_expired') return error;
  if (outliers.rule !== 'none') {
    return because('outlier rules are read sample by sample', 'Leave out the outlier rule', 'sampleDays');
  }
  if (hours === null) return error;
  return atFullHours
    ? because(
        'business hours are counted from hourly rollups',
        'Leave out business hours: days and months are kept longer',
        'hourDays',
      )
    : because(
        'business hours that begin or end within an hour of UTC are counted from hourly rollups and, at both ends, from samples',
        'Ask for business hours that begin and end on full UTC hours, as 08:30-18:30 does in Asia/Kolkata',
        'sampleDays',
      );

  function because(need: string, instead: string, setting: string): StoreError {
    return new StoreError(
      'samples_expired',
      `${need}, and ${(error as StoreError).message}`,
      `${instead}, or choose a range that begins no earlier. retention.${setting} in the settings says how long they are kept.`,
    );
  }
}
