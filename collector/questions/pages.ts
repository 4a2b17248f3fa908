import { Type } from 'typebox';
import { type TimeStatistics, timeStatistics } from '../../shared/statistics/time-statistics.ts';
import { type AnyDimension, ASKED_DIMENSIONS, FEW_BROWSERS } from '../../shared/vocabulary/dimensions.ts';
import {
  type AnswerOf,
  Count,
  each,
  MethodSchema,
  object,
  orNull,
  shape,
  TIME_STATISTICS,
} from '../analysis/answer-schema.ts';
import { summarizeCell } from '../analysis/summary/summarize-cell.ts';
import type { SummaryCell } from '../analysis/summary/summary-document.ts';
import { CELL } from '../analysis/summary/summary-document.ts';
import { groupId } from '../storage/passes/cell-groups.ts';
import type { StoreQuery } from '../storage/passes/collect-cells.ts';
import { aggregateCells } from '../storage/passes/collect-cells.ts';
import { collectBodySizes } from '../storage/passes/collect-page-facts.ts';
import { toDistribution } from '../storage/passes/collectors.ts';
import type { Folding, QueryGroups } from '../storage/passes/query-groups.ts';
import type { RangePass } from '../storage/passes/range-pass.ts';
import type { GroupedBy, RangeReader } from '../storage/passes/range-reader.ts';
import { passRoutes } from '../storage/passes/route-waits.ts';
import { toCellAggregate } from '../storage/passes/to-cell-aggregate.ts';
import { filters, flag, RANGE, whole } from './parameters.ts';
import { describeMethod, foldedCells, question } from './question.ts';
import { type Folded, foldingReadings, foldSmallGroups } from './visibility/fold-small-groups.ts';
import type { ViewerRule } from './visibility/visibility.ts';
import { createVisibility, shownReasons } from './visibility/visibility.ts';

const BY: readonly AnyDimension[] = ['host', 'template', 'type'];

const MAX_PAGES = 1000;
const DEFAULT_PAGES = 100;

const {
  medianInterval: _interval,
  keepMeasuring: _keep,
  variesWidely: _varies,
  belowClockStep: _step,
  ...LENGTH
} = TIME_STATISTICS;
/** Encoded body, bytes; null if no size is known. */
const ContentLength = orNull(
  shape<Omit<TimeStatistics, 'keepMeasuring' | 'variesWidely' | 'belowClockStep' | 'medianInterval'>>(LENGTH),
);
export type ContentLength = AnswerOf<typeof ContentLength>;
export interface PageCell extends SummaryCell {
  readonly contentLength: ContentLength;
}
const Answer = object({
  method: MethodSchema,
  /** By host, template and type; those with the most requests. */
  cells: Type.Array(Type.Unsafe<PageCell>(object({ ...CELL, contentLength: ContentLength }))),
  /** Pages with fewer requests, which were left out, and their samples. */
  leftOut: each(['cells', 'samples'], Count),
});
/** `GET /api/v1/pages`. */
export type PagesDocument = AnswerOf<typeof Answer>;

export interface PagesPlan extends Pick<StoreQuery, 'range' | 'filters'>, ViewerRule {
  /** Pages in the answer, those with the most samples. */
  readonly limit: number;
}

/** Page by page, from the samples: rollups do not hold templates. */
export const pages = question({
  name: 'pages',
  address: '/api/v1/pages',
  description: 'Every statistic per page template.',
  parameters: {
    range: RANGE,
    limit: whole({ min: 1, max: MAX_PAGES }, DEFAULT_PAGES, 'Rows at most.'),
    exact: flag('Changes nothing: pages are always read value by value.'),
    filters: filters(ASKED_DIMENSIONS),
  },
  query: (given) => given,
  answer: Answer,
  takesLong: () => true,
  plan: ({ filters, limit }, { range, rule }): PagesPlan => ({ range, filters, limit, ...rule }),
  asked: ({ range, filters }) => ({ range, filters, by: BY }),
  async read(source, plan) {
    const { range, filters, limit, minGroupSize } = plan;
    const query = { by: BY, filters };
    const opened = await source.open(range, 'fine', 2 + foldingReadings(minGroupSize));
    const all = opened.reader();
    const reader = all.filtered(filters);
    const folded = await foldSmallGroups(createVisibility(source, plan, range), all, query);
    const { routes, ...rest } = await beyond(limit, reader, query, folded);
    const folding: Folding = {
      ids: folded.folding?.ids ?? new Set(),
      hidden: folded.folding?.hidden ?? false,
      leftOut: rest.ids,
    };
    let lengths: () => Map<string, ContentLength> = () => new Map();
    const more = (pass: RangePass, groups: QueryGroups) => {
      lengths = collectLengths(pass, groups);
    };
    const aggregates = await aggregateCells(query, reader, folding, { routes, more });
    const lengthOf = lengths();
    const cells = aggregates.map((cell): PageCell => {
      const aggregate = toCellAggregate(cell);
      const unknown = shownReasons(aggregate.unknown, minGroupSize);
      return {
        ...summarizeCell(aggregate),
        unknown,
        contentLength: lengthOf.get(groupId(Object.values(cell.key))) ?? null,
      };
    });
    return {
      ...(await describeMethod(opened, foldedCells(folded, minGroupSize), reader.exact())),
      cells: cells.sort((a, b) => b.samples - a.samples),
      leftOut: { cells: rest.ids.size, samples: rest.samples },
    };
  },
});

async function beyond(limit: number, reader: RangeReader, query: GroupedBy, folded: Folded) {
  const pass = reader.pass();
  const groups = pass.groups(query.by, query.filters, folded.folding);
  const samplesOf = pass.tally(groups);
  const routes = passRoutes(pass, query.filters);
  await pass.run();
  const left = groups
    .sorted()
    .filter((group) => groups.keys[group]?.template !== FEW_BROWSERS)
    .sort((a, b) => samplesOf(b) - samplesOf(a))
    .slice(limit);
  return {
    routes: routes(),
    ids: new Set(left.map((group) => groupId(Object.values(groups.keys[group] ?? {})))),
    samples: left.reduce((sum, group) => sum + samplesOf(group), 0),
  };
}

/** Body sizes by the group's id. Call the result once the pass has run. */
function collectLengths(pass: RangePass, groups: QueryGroups): () => Map<string, ContentLength> {
  const take = collectBodySizes(pass, groups);
  return () =>
    new Map(
      groups.keys.map((key, group): [string, ContentLength] => {
        const statistics = timeStatistics(toDistribution(take(group)), null);
        if (statistics === null) return [groupId(Object.values(key)), null];
        const { keepMeasuring: _1, belowClockStep: _2, medianInterval: _3, variesWidely: _4, ...length } = statistics;
        return [groupId(Object.values(key)), length];
      }),
    );
}
