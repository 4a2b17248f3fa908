import { MIN_RELATIVE_CHANGE } from '../../shared/statistics/change.ts';
import { type ChangePoint, changeAt, changePoints, type DailyPoint } from '../../shared/statistics/change-points.ts';
import { type ComparedGroup, whyNotCompared } from '../../shared/statistics/comparability.ts';
import { seededRandom } from '../../shared/statistics/seeded-random.ts';
import { type AnyDimension, type CellKey, isFewBrowsers, partsOfKey } from '../../shared/vocabulary/dimensions.ts';
import { certainChanges } from '../analysis/changes/certain-changes.ts';
import { CHANGE_STATISTICS, changedWait, type GroupChange } from '../analysis/changes/group-change.ts';
import { stepBounds } from '../analysis/time/step-bounds.ts';
import { utc, wallTime } from '../analysis/time/zoned-time.ts';
import type { ReadingSource } from '../storage/passes/reading-source.ts';
import { StoreError } from '../storage/store-error.ts';
import { countsUsers } from './compare.ts';
import { type DailyAnswer, type DailyCell, type DailyPlan, readLikeDays } from './read-like-days.ts';
import { readSteps, type TimelineCell } from './timeline.ts';

const DAY_MS = 24 * 3_600_000;
const HOUR_MS = 3_600_000;

/** Only the last of a longer range are tested: the time it takes grows with their square, and an older change is no news. */
const MAX_DAYS = 92;
/** Each is tested. */
export const CHANGE_GROUPINGS: readonly (readonly AnyDimension[])[] = [
  ['target'],
  ['host'],
  ['host', 'type'],
  ['site'],
];
/** For days as they were: a host only by type, because a day with more images would look like a faster one. */
const ROLLED_UP_GROUPINGS: readonly (readonly AnyDimension[])[] = [['target'], ['host', 'type'], ['site']];
/** Requests of a day: the median of fewer varies more than most changes. */
const MIN_REQUESTS = 12;
/** Groups of each grouping, those waited for longest; `leftOut` counts the others. */
const MAX_GROUPS = 60;
/** Share of the events shown that may be chance, on average: of all findings, which are of many kinds, at most 2 % may be false. */
const FALSE_DISCOVERY_RATE = 0.005;
/** Coarsest clock step of browsers, ms: a smaller difference may be the clock's. */
const COARSE_CLOCK_MS = 1;
/** Seeds the draws of every group, so that an answer can be reproduced. */
const SEED = 1;

export interface ChangesPlan extends DailyPlan {
  /** Time zone of the days, an IANA name; null is UTC. */
  readonly zone: string | null;
}

/** The part of a range that is tested. */
export function testedRange<R extends ChangesPlan['range']>(range: R): R {
  return { ...range, from: Math.max(range.from, range.to - MAX_DAYS * DAY_MS) };
}

/** Lasting changes by each of the groupings; those that change most waiting first. */
export async function readChanges(source: ReadingSource, plan: ChangesPlan) {
  const bounds = stepBounds(plan.range, DAY_MS, plan.zone);
  const { answers, mix } = await readDays(source, plan, bounds);
  const days = wholeDays(bounds, plan);
  const ofUsers = countsUsers(plan.filters);
  const series = answers.flatMap(({ cells }) => cells.map((cell) => seriesOf(cell, days, ofUsers)));
  const { tested, tooFewDays } = testAll(source, series);
  return {
    answers,
    mix,
    changes: certainChanges(tested.flatMap(latestOf), tested.length, FALSE_DISCOVERY_RATE).sort(
      (a, b) => changedWait(b) - changedWait(a),
    ),
    series: { tested: tested.length, tooFewDays },
  };
}

/** `fixed`: like is compared with like. `daily`: samples are no longer kept, and rollups know no paths. */
export const CHANGE_MIXES = ['fixed', 'daily'] as const;

async function readDays(
  source: ReadingSource,
  plan: ChangesPlan,
  bounds: readonly number[],
): Promise<{ readonly answers: readonly DailyAnswer[]; readonly mix: (typeof CHANGE_MIXES)[number] }> {
  try {
    return {
      answers: withoutTwins(await readLikeDays(source, plan, CHANGE_GROUPINGS, bounds, MAX_GROUPS)),
      mix: 'fixed',
    };
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'samples_expired') throw error;
  }
  const answers: DailyAnswer[] = [];
  for (const by of ROLLED_UP_GROUPINGS) {
    const asked = { ...plan, by, bounds, time: 'ttlb', exact: false, top: MAX_GROUPS, uncounted: true } as const;
    const { cells, leftOut = { cells: 0, samples: 0 }, ...rest } = await readSteps(source, asked);
    const shown = cells.filter((cell) => !isFewBrowsers(keyOf(cell)));
    answers.push({
      ...rest,
      leftOut,
      cells: shown.map((cell) => ({ key: keyOf(cell), days: cell.steps.map(dayOf), browsers: null })),
    });
  }
  return { answers, mix: 'daily' };
}

/** Without hosts of which only one type is asked: the same test twice is no further evidence. */
function withoutTwins(answers: readonly DailyAnswer[]): DailyAnswer[] {
  const types = new Map<string | null, number>();
  for (const { host, type } of answers.flatMap(({ cells }) => cells.map(({ key }) => key))) {
    if (host !== undefined && type !== undefined) types.set(host, (types.get(host) ?? 0) + 1);
  }
  const isTwin = ({ key: { host, type } }: DailyCell) =>
    host !== undefined && type === undefined && types.get(host) === 1;
  return answers.map((answer) => ({ ...answer, cells: answer.cells.filter((cell) => !isTwin(cell)) }));
}

/** null without values, or where few browsers hide them. */
function dayOf(step: TimelineCell['steps'][number]): DailyCell['days'][number] {
  if (step === null) return null;
  const { n, median, mean } = step;
  return n === null || median === null || mean === null ? null : { n, median, mean };
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

interface RequestsOfDay {
  readonly day: number;
  readonly n: number;
  /** null if unknown, or if they are no users' browsers. */
  readonly browsers: ReadonlySet<string> | null;
}

interface Series {
  readonly key: CellKey;
  /** The geometric mean of both statistics. */
  readonly points: readonly DailyPoint[];
  readonly statistics: Readonly<Record<GroupChange['statistic'], readonly DailyPoint[]>>;
  /** One for each day of `points`. */
  readonly requests: readonly RequestsOfDay[];
}

function seriesOf({ key, days: values, browsers }: DailyCell, days: readonly (Day | null)[], ofUsers: boolean): Series {
  const known = days.flatMap((day, i) => {
    const value = values[i] ?? null;
    return day === null || value === null || value.n < MIN_REQUESTS
      ? []
      : [{ ...day, ...value, browsers: ofUsers ? (browsers?.[i] ?? null) : null }];
  });
  const pointsOf = (value: (of: (typeof known)[number]) => number) =>
    known.map((of): DailyPoint => ({ day: of.number, weekend: of.weekend, value: value(of) }));
  const atLeast = (ms: number) => Math.max(ms, COARSE_CLOCK_MS);
  return {
    key,
    points: pointsOf(({ median, mean }) => Math.sqrt(atLeast(median) * atLeast(mean))),
    statistics: { median: pointsOf(({ median }) => median), mean: pointsOf(({ mean }) => mean) },
    requests: known.map(({ number: day, n, browsers: own }) => ({ day, n, browsers: own })),
  };
}

function keyOf(cell: TimelineCell): CellKey {
  return Object.fromEntries(partsOfKey(cell).map(({ dimension, value }) => [dimension, value]));
}

interface Tested extends Series {
  readonly pValue: number;
  /** In order of time. */
  readonly changes: readonly ChangePoint[];
}

function testAll(source: ReadingSource, series: readonly Series[]) {
  const tested: Tested[] = [];
  for (const one of series) {
    source.checkpoint();
    const found = changePoints(one.points, COARSE_CLOCK_MS, seededRandom(SEED));
    if (found !== null) tested.push({ ...one, ...found });
  }
  return { tested, tooFewDays: series.length - tested.length };
}

/** The latest of each, by each statistic in which it is certain and large enough to matter. */
function latestOf({ key, statistics, changes, pValue, requests }: Tested): GroupChange[] {
  const latest = changes.at(-1);
  if (latest === undefined) return [];
  const { day, dayInterval } = latest;
  const since = changes.at(-2)?.day ?? Number.NEGATIVE_INFINITY;
  const earlier = requests.filter(({ day: of }) => of >= since && of < day);
  const later = requests.filter(({ day: of }) => of >= day);
  if (whyNotCompared(groupOfDays(earlier), groupOfDays(later)) !== null) return [];
  // The surer of two tests; the t-test only of what the permutation test has found.
  const p = Math.min(pValue, 2 * latest.pValue);
  return CHANGE_STATISTICS.flatMap((statistic): GroupChange[] => {
    const points = statistics[statistic].filter(({ day: of }) => of >= since);
    const { before, after, difference, interval } = changeAt(points, day, seededRandom(SEED));
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
      pValue: p,
      requests: sumOfRequests(later),
    };
    return [change];
  });
}

/** Ids change on the first of a month, so browsers are counted in the month that has most of them. */
function groupOfDays(days: readonly RequestsOfDay[]): ComparedGroup {
  const months = new Map<string, Set<string>>();
  for (const { day, browsers } of days) {
    if (browsers === null) return { n: sumOfRequests(days), browsers: null };
    const month = dateOf(day).slice(0, 7);
    const own = months.get(month) ?? new Set();
    months.set(month, own);
    for (const browser of browsers) own.add(browser);
  }
  return { n: sumOfRequests(days), browsers: Math.max(0, ...[...months.values()].map(({ size }) => size)) };
}

function sumOfRequests(days: readonly RequestsOfDay[]): number {
  return days.reduce((sum, { n }) => sum + n, 0);
}

function dateOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}
