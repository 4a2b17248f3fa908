import { Type } from 'typebox';
import { MIN_RELATIVE_CHANGE } from '../../shared/statistics/change.ts';
import { type ChangePoint, changePoints, type DailyPoint } from '../../shared/statistics/change-points.ts';
import { falseDiscovery } from '../../shared/statistics/false-discovery.ts';
import { MIN_INTERVAL_N } from '../../shared/statistics/median-interval.ts';
import { seededRandom } from '../../shared/statistics/seeded-random.ts';
import {
  type AnyDimension,
  ASKED_DIMENSIONS,
  type CellKey,
  isFewBrowsers,
  partsOfKey,
} from '../../shared/vocabulary/dimensions.ts';
import { stepBounds } from '../analysis/time/step-bounds.ts';
import { utc, wallTime } from '../analysis/time/zoned-time.ts';
import type { StoreQuery } from '../storage/passes/collect-cells.ts';
import type { ReadingSource } from '../storage/passes/reading-source.ts';
import { type AnswerOf, Count, each, KEY, MethodSchema, Milliseconds, object, pair, words } from './answer-schema.ts';
import { filters, RANGE, zone } from './parameters.ts';
import { question } from './question.ts';
import { readSteps, type TimelineCell } from './timeline.ts';
import type { ViewerRule } from './visibility/visibility.ts';

const DAY_MS = 24 * 3_600_000;
const HOUR_MS = 3_600_000;

/** Only the last of a longer range are tested: the time it takes grows with their square, and an older change is no news. */
const MAX_DAYS = 92;
/** Each is tested. */
const GROUPINGS: readonly (readonly AnyDimension[])[] = [['target'], ['host', 'type'], ['site']];
const STATISTICS = ['median', 'mean'] as const;
/** Groups of each grouping, those waited for longest; `leftOut` counts the others. */
const MAX_GROUPS = 100;
/** Share of the changes shown that may be chance, on average. */
const FALSE_DISCOVERY_RATE = 0.05;
/** Coarsest clock step of browsers, ms: a smaller difference may be the clock's. */
const COARSE_CLOCK_MS = 1;
/** Seeds the draws of every group, so that an answer can be reproduced. */
const SEED = 1;

/** A date of the zone asked for. */
const DayText = Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' });
const GroupChange = object({
  ...KEY,
  /** Of each day. */
  statistic: words(STATISTICS),
  /** First day with the new level. */
  since: DayText,
  /** In which the first day lies. */
  sinceInterval: Type.Unsafe<readonly [string, string]>(Type.Array(DayText, { minItems: 2, maxItems: 2 })),
  direction: words(['slower', 'faster']),
  before: Milliseconds,
  after: Milliseconds,
  /** After less before, with its 95 % interval. */
  difference: Milliseconds,
  interval: pair,
  /** Of a group without any change. */
  pValue: Type.Number({ minimum: 0, maximum: 1 }),
});
export type GroupChange = AnswerOf<typeof GroupChange>;
const Answer = object({
  method: MethodSchema,
  /** The latest of each group and statistic; those that cost or save most waiting first. */
  changes: Type.Array(GroupChange),
  /** Series, each of one group and statistic: those tested, and those with too few days to be. */
  series: each(['tested', 'tooFewDays'], Count),
  /** Groups beyond those tested, and their samples. */
  leftOut: each(['cells', 'samples'], Count),
});
/** `GET /api/v1/changes`. */
export type ChangesDocument = AnswerOf<typeof Answer>;

export interface ChangesPlan extends Pick<StoreQuery, 'range' | 'filters'>, ViewerRule {
  /** Time zone of the days, an IANA name; null is UTC. */
  readonly zone: string | null;
}

/** What got slower or faster for good, by app, host and type, and site, from the rollups of each whole day. */
export const changes = question({
  name: 'changes',
  address: '/api/v1/changes',
  description:
    'From which day apps, hosts and sites are slower or faster for good. Ask for at least 8 days; of more than 92, the last 92 are tested, and `method.from` says so.',
  parameters: {
    range: RANGE,
    zone: zone('Time zone in which days begin; default UTC.'),
    filters: filters(ASKED_DIMENSIONS),
  },
  query: (given) => given,
  answer: Answer,
  takesLong: () => true,
  plan(query, { range, rule }): ChangesPlan {
    const from = Math.max(range.from, range.to - MAX_DAYS * DAY_MS);
    return { ...query, range: { ...range, from }, ...rule };
  },
  asked: ({ range, filters }) => ({ range, filters, by: [...new Set(GROUPINGS.flat())] }),
  read(source, plan) {
    const bounds = stepBounds(plan.range, DAY_MS, plan.zone);
    const answers = GROUPINGS.map((by) =>
      readSteps(source, { ...plan, by, bounds, time: 'ttlb', exact: false, top: MAX_GROUPS }),
    );
    const days = wholeDays(bounds, plan);
    const series = answers.flatMap(({ cells }) =>
      cells.filter((cell) => !isFewBrowsers(keyOf(cell))).flatMap((cell) => seriesOf(cell, days)),
    );
    const { tested, tooFewDays } = testAll(source, series);
    const first = answers[0] as (typeof answers)[number];
    const left = answers.flatMap(({ leftOut }) => leftOut ?? []);
    const folded = answers.find((answer) => answer.folded !== null)?.folded ?? null;
    return {
      exact: answers.every(({ exact }) => exact),
      bound: Math.max(...answers.map(({ bound }) => bound)),
      dataHash: first.dataHash,
      folded,
      changes: certain(tested)
        .sort((a, b) => b.waiting - a.waiting)
        .map(({ change }) => change),
      series: { tested: tested.length, tooFewDays },
      leftOut: {
        cells: left.reduce((sum, { cells }) => sum + cells, 0),
        samples: left.reduce((sum, { samples }) => sum + samples, 0),
      },
    };
  },
});

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
  readonly statistic: (typeof STATISTICS)[number];
  readonly points: readonly DailyPoint[];
  readonly samplesADay: number;
}

function seriesOf(cell: TimelineCell, days: readonly (Day | null)[]): Series[] {
  const known = days.flatMap((day, i) => {
    const step = cell.steps[i] ?? null;
    return day === null || step === null || (step.n ?? 0) < MIN_INTERVAL_N ? [] : [{ day, step }];
  });
  const samplesADay = known.reduce((sum, { step }) => sum + (step.n ?? 0), 0) / Math.max(known.length, 1);
  return STATISTICS.map((statistic) => ({
    key: keyOf(cell),
    statistic,
    samplesADay,
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
function certain(tested: readonly Tested[]): { readonly change: GroupChange; readonly waiting: number }[] {
  const found = falseDiscovery(
    tested.map(({ pValue }) => pValue),
    FALSE_DISCOVERY_RATE,
  );
  return tested.flatMap(({ key, statistic, latest, pValue, samplesADay }, i) => {
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
    };
    return [{ change, waiting: size * samplesADay }];
  });
}

function dateOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}
