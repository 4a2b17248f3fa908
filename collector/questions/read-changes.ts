import { MIN_RELATIVE_CHANGE } from '../../shared/statistics/change.ts';
import {
  type ChangePoint,
  changePoints,
  type DailyPoint,
  MIN_DAYS_PER_SIDE,
} from '../../shared/statistics/change-points.ts';
import { falseDiscovery } from '../../shared/statistics/false-discovery.ts';
import { seededRandom } from '../../shared/statistics/seeded-random.ts';
import { type AnyDimension, type CellKey, isFewBrowsers, partsOfKey } from '../../shared/vocabulary/dimensions.ts';
import { CHANGE_STATISTICS, changedWait, type GroupChange } from '../analysis/changes/group-change.ts';
import { stepBounds } from '../analysis/time/step-bounds.ts';
import { utc, wallTime } from '../analysis/time/zoned-time.ts';
import type { StoreQuery } from '../storage/passes/collect-cells.ts';
import type { ReadingSource } from '../storage/passes/reading-source.ts';
import { readSteps, type TimelineCell } from './timeline.ts';
import type { ViewerRule } from './visibility/visibility.ts';

const DAY_MS = 24 * 3_600_000;
const HOUR_MS = 3_600_000;

/** Only the last of a longer range are tested: the time it takes grows with their square, and an older change is no news. */
const MAX_DAYS = 92;
/** Each is tested; a host only by type, because a day with more images would look like a faster one. */
export const CHANGE_GROUPINGS: readonly (readonly AnyDimension[])[] = [['target'], ['host', 'type'], ['site']];
/** Requests of a day: the median of fewer varies more than most changes. */
const MIN_REQUESTS = 12;
/** Groups of each grouping, those waited for longest; `leftOut` counts the others. */
const MAX_GROUPS = 100;
/** Share of the changes shown that may be chance, on average. */
const FALSE_DISCOVERY_RATE = 0.05;
/** Coarsest clock step of browsers, ms: a smaller difference may be the clock's. */
const COARSE_CLOCK_MS = 1;
/** Seeds the draws of every group, so that an answer can be reproduced. */
const SEED = 1;

export interface ChangesPlan extends Pick<StoreQuery, 'range' | 'filters'>, ViewerRule {
  /** Time zone of the days, an IANA name; null is UTC. */
  readonly zone: string | null;
}

/** The part of a range that is tested. */
export function testedRange<R extends ChangesPlan['range']>(range: R): R {
  return { ...range, from: Math.max(range.from, range.to - MAX_DAYS * DAY_MS) };
}

/** Changes for good by each of the groupings, from the rollups of each whole day; those that change most waiting first. */
export function readChanges(source: ReadingSource, plan: ChangesPlan) {
  const bounds = stepBounds(plan.range, DAY_MS, plan.zone);
  const answers = CHANGE_GROUPINGS.map((by) =>
    readSteps(source, { ...plan, by, bounds, time: 'ttlb', exact: false, top: MAX_GROUPS, uncounted: true }),
  );
  const days = wholeDays(bounds, plan);
  const series = answers.flatMap(({ cells }) =>
    cells.filter((cell) => !isFewBrowsers(keyOf(cell))).flatMap((cell) => seriesOf(cell, days)),
  );
  const { tested, tooFewDays } = testAll(source, series);
  return {
    answers,
    changes: certain(tested).sort((a, b) => changedWait(b) - changedWait(a)),
    series: { tested: tested.length, tooFewDays },
  };
}

/** Whether a range has enough whole days for any change. */
export function hasDaysForChanges(plan: ChangesPlan): boolean {
  const days = wholeDays(stepBounds(plan.range, DAY_MS, plan.zone), plan);
  return days.filter((day) => day !== null).length >= 2 * MIN_DAYS_PER_SIDE;
}

interface Day {
  /** Days since 1970 of its date. */
  readonly number: number;
  readonly weekend: boolean;
}

/** null for one that is only partly in the range: part of a day is no fair sample of it. */
function wholeDays(bounds: readonly number[], { range, zone }: ChangesPlan): (Day | null)[] {
  return bounds.slice(0, -1).map((start, i) => {
    if (start < range.from || (bounds[i + 1] as number) > range.to) return null;
    // Midnight may not exist where clocks are changed then.
    const { year, month, day, weekday } = wallTime(start + HOUR_MS, zone ?? 'UTC');
    return { number: utc(year, month, day) / DAY_MS, weekend: weekday === 0 || weekday === 6 };
  });
}

interface Series {
  readonly key: CellKey;
  readonly statistic: GroupChange['statistic'];
  readonly points: readonly DailyPoint[];
  /** By day, as `points`. */
  readonly requests: readonly { readonly day: number; readonly n: number }[];
}

function seriesOf(cell: TimelineCell, days: readonly (Day | null)[]): Series[] {
  const known = days.flatMap((day, i) => {
    const step = cell.steps[i] ?? null;
    return day === null || step === null || (step.n ?? 0) < MIN_REQUESTS ? [] : [{ day, step }];
  });
  const requests = known.map(({ day: { number: day }, step }) => ({ day, n: step.n ?? 0 }));
  return CHANGE_STATISTICS.map((statistic) => ({
    key: keyOf(cell),
    statistic,
    requests,
    points: known.flatMap(({ day: { number, weekend }, step }) => {
      const value = step[statistic];
      return value === null ? [] : [{ day: number, weekend, value }];
    }),
  }));
}

function keyOf(cell: TimelineCell): CellKey {
  return Object.fromEntries(partsOfKey(cell).map(({ dimension, value }) => [dimension, value]));
}

interface Tested extends Series {
  readonly pValue: number;
  readonly latest: ChangePoint | null;
}

function testAll(source: ReadingSource, series: readonly Series[]) {
  const tested: Tested[] = [];
  for (const one of series) {
    source.checkpoint();
    const found = changePoints(one.points, COARSE_CLOCK_MS, seededRandom(SEED));
    if (found !== null) tested.push({ ...one, pValue: found.pValue, latest: found.changes.at(-1) ?? null });
  }
  return { tested, tooFewDays: series.length - tested.length };
}

/** Those that are more than chance, and large enough to matter. */
function certain(tested: readonly Tested[]): GroupChange[] {
  const found = falseDiscovery(
    tested.map(({ pValue }) => pValue),
    FALSE_DISCOVERY_RATE,
  );
  return tested.flatMap(({ key, statistic, latest, pValue, requests }, i) => {
    if (!found[i] || latest === null) return [];
    const { day, dayInterval, before, after, difference, interval } = latest;
    const size = Math.abs(difference);
    const excludesZero = interval[0] > 0 || interval[1] < 0;
    if (!excludesZero || size < COARSE_CLOCK_MS || size < MIN_RELATIVE_CHANGE * Math.abs(before)) return [];
    const change: GroupChange = {
      ...key,
      statistic,
      since: dateOf(day),
      sinceInterval: [dateOf(dayInterval[0]), dateOf(dayInterval[1])],
      direction: difference > 0 ? 'slower' : 'faster',
      before,
      after,
      difference,
      interval: [interval[0], interval[1]],
      pValue,
      requests: requests.reduce((sum, { day: on, n }) => sum + (on >= day ? n : 0), 0),
    };
    return [change];
  });
}

function dateOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}
