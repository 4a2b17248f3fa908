import { Type } from 'typebox';
import type { Distribution } from '../../shared/statistics/distribution.ts';
import { logHistogram } from '../../shared/statistics/log-histogram.ts';
import { peaks } from '../../shared/statistics/peaks.ts';
import { timeStatistics } from '../../shared/statistics/time-statistics.ts';
import { ASKED_DIMENSIONS } from '../../shared/vocabulary/dimensions.ts';
import {
  type AnswerOf,
  Count,
  KEY,
  MethodSchema,
  Milliseconds,
  MonthOfBrowsers,
  object,
  PeaksSchema,
  TimeStatisticsSchema,
} from '../analysis/answer-schema.ts';
import { ASKABLE_TIMES, type AskableTime, collectTime, rolledUp } from '../storage/passes/asked-times.ts';
import type { StoreQuery } from '../storage/passes/collect-cells.ts';
import { toDistribution } from '../storage/passes/collectors.ts';
import { howToOpen } from '../storage/passes/reading-source.ts';
import { dimensions, EXACT, filters, oneOf, RANGE } from './parameters.ts';
import { describeMethod, foldedCells, question, refuseLargeAnswer } from './question.ts';
import { LEFT_OUT, TOP, topGroups, topReadings } from './top-groups.ts';
import { foldingReadings, foldSmallGroups } from './visibility/fold-small-groups.ts';
import type { ViewerRule } from './visibility/visibility.ts';
import { createVisibility } from './visibility/visibility.ts';

const Answer = object({
  method: MethodSchema,
  cells: Type.Array(
    object({
      ...KEY,
      browsers: Count,
      browsersMonth: MonthOfBrowsers,
      /** Median and mean are among them: marks for the chart. */
      statistics: TimeStatisticsSchema,
      /** Four per octave, with the same edges for all data; empty ones between occupied ones are included. */
      bins: Type.Array(object({ from: Milliseconds, to: Milliseconds, count: Count })),
      peaks: PeaksSchema,
    }),
  ),
  ...LEFT_OUT,
});
/** `GET /api/v1/histogram`. Times in milliseconds. */
export type HistogramDocument = AnswerOf<typeof Answer>;
export type HistogramCell = HistogramDocument['cells'][number];

/** Parameters of a question about one time, shared with the timeline. */
export const TIME_PARAMETERS = {
  range: RANGE,
  by: dimensions(ASKED_DIMENSIONS, []),
  top: TOP,
  time: oneOf(ASKABLE_TIMES, 'ttlb', 'Which time.'),
  exact: EXACT,
};

export interface HistogramPlan extends StoreQuery, ViewerRule {
  /** Groups at most, those waited for longest; all if null or absent. */
  readonly top?: number | null;
  readonly time: AskableTime;
}

/** Counts on a logarithmic axis for every group that has a value, with its marks and peaks. */
export const histogram = question({
  name: 'histogram',
  address: '/api/v1/histogram',
  description: 'Counts of one time on a logarithmic axis, with marks and peaks.',
  parameters: { ...TIME_PARAMETERS, filters: filters(ASKED_DIMENSIONS) },
  query: (given) => given,
  answer: Answer,
  takesLong: (plan: HistogramPlan) => rolledUp(plan.time) === null || howToOpen(plan) === 'fine',
  plan: (query, { range, rule }): HistogramPlan => ({ ...query, range, ...rule }),
  asked: (plan) => plan,
  async read(source, plan) {
    const { range, by, filters, time, minGroupSize, top } = plan;
    const how = rolledUp(time) === null ? 'fine' : howToOpen(plan);
    const opened = await source.open(range, how, 1 + foldingReadings(minGroupSize) + topReadings(top));
    const all = opened.reader();
    const reader = all.filtered(filters);
    const folded = await foldSmallGroups(createVisibility(source, plan, range), all, { by, filters });
    const { folding, leftOut } = await topGroups(reader, { by, filters }, folded, top);
    const pass = reader.pass();
    const groups = pass.groups(by, filters, folding);
    const clock = pass.clockSteps(groups);
    const browsers = pass.browsers(groups);
    const take = collectTime(pass, time, groups);
    await pass.run();
    refuseLargeAnswer(groups.keys.length);
    const cells = groups.sorted().flatMap((group): HistogramCell[] => {
      const values = toDistribution(take(group));
      const clockStep = clock(group);
      const statistics = timeStatistics(values, time === 'idle' ? null : clockStep, browsers.of(group).browsers);
      if (statistics === null) return [];
      return [
        {
          ...groups.keys[group],
          ...browsers.of(group),
          statistics,
          bins: binsOf(values),
          peaks: peaks(values, clockStep ?? 0)?.map((peak) => ({ ...peak, at: peak.at / 1000 })) ?? null,
        },
      ];
    });
    return {
      ...(await describeMethod(opened, foldedCells(folded, minGroupSize), reader.exact())),
      cells,
      ...(leftOut === undefined ? {} : { leftOut }),
    };
  },
});

function binsOf(values: Distribution): HistogramCell['bins'] {
  return logHistogram(values).map(({ from, to, count }) => ({ from: from / 1000, to: to / 1000, count }));
}
