import { NULL } from '../../shared/sample/sample-columns.ts';
import { timeStatistics } from '../../shared/statistics/time-statistics.ts';
import { type AnyDimension, FEW_BROWSERS } from '../../shared/vocabulary/dimensions.ts';
import type { PageCell } from '../analysis/documents/answers.ts';
import { summarizeCell } from '../analysis/summary/summarize-cell.ts';
import { cellAggregateOf, toDistribution } from '../storage/passes/cell-aggregate-of.ts';
import { groupId } from '../storage/passes/cell-groups.ts';
import { aggregateCells, type StoreQuery } from '../storage/passes/collect-cells.ts';
import { createQueryGroups, type Folding, type QueryGroups } from '../storage/passes/query-groups.ts';
import type { RangePass } from '../storage/passes/range-pass.ts';
import { createRangeReader, type GroupedBy, type RangeReader } from '../storage/passes/range-reader.ts';
import type { ReadingSource } from '../storage/passes/reading-source.ts';
import { passRoutes } from '../storage/passes/reused-waits.ts';
import type { RowPart } from '../storage/passes/row-part.ts';
import { type ComputeMethod, foldedCells, methodOf } from './compute-method.ts';
import { type Folded, foldingReadings, foldSmallGroups } from './viewer/fold-small-groups.ts';
import type { FoldRule } from './viewer/small-groups.ts';
import { toldReasons } from './viewer/told-reasons.ts';
import { createViewer } from './viewer/viewer.ts';

const BY: readonly AnyDimension[] = ['host', 'template', 'type'];

export interface PagesQuestion extends Pick<StoreQuery, 'range' | 'filters'>, FoldRule {
  /** Pages to tell of, those with most samples. */
  readonly limit: number;
}

export interface PagesAnswer extends ComputeMethod {
  readonly cells: readonly PageCell[];
  readonly leftOut: { readonly cells: number; readonly samples: number };
}

/** Page by page, from the samples: no rollup knows templates. */
export function computePages(source: ReadingSource, question: PagesQuestion): PagesAnswer {
  const { range, filters, limit, foldBelow } = question;
  const query = { by: BY, filters };
  const opened = source.open(range, 'fine', 2 + foldingReadings(foldBelow));
  const all = createRangeReader(opened, source.catalog, true);
  const reader = all.filtered(filters);
  const folded = foldSmallGroups(createViewer(source, question, range), all, query);
  const { routes, ...rest } = beyond(limit, reader, query, source, folded);
  const folding: Folding = {
    ids: folded.folding?.ids ?? new Set(),
    hidden: folded.folding?.hidden ?? false,
    leftOut: rest.ids,
  };
  let lengths: () => Map<string, PageCell['contentLength']> = () => new Map();
  const more = (pass: RangePass, groups: QueryGroups) => {
    lengths = collectLengths(pass, groups);
  };
  const aggregates = aggregateCells(query, reader, source.catalog, folding, { routes, more });
  const lengthOf = lengths();
  const cells = aggregates.map((cell): PageCell => {
    const aggregate = cellAggregateOf(cell);
    const unknown = toldReasons(aggregate.unknown, foldBelow);
    return {
      ...summarizeCell(aggregate),
      unknown,
      contentLength: lengthOf.get(groupId(Object.values(cell.key))) ?? null,
    };
  });
  return {
    ...methodOf(opened, foldedCells(folded, foldBelow), reader.exact()),
    cells: cells.sort((a, b) => b.samples - a.samples),
    leftOut: { cells: rest.ids.size, samples: rest.samples },
  };
}

function beyond(limit: number, reader: RangeReader, query: GroupedBy, source: ReadingSource, folded: Folded) {
  const groups = createQueryGroups(query.by, query.filters, source.catalog, folded.folding);
  const pass = reader.pass();
  const samplesOf = pass.tally(groups);
  const routes = passRoutes(pass, query.filters, source.catalog);
  pass.run();
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

/** Body sizes by the group's id; asked once the pass has run. */
function collectLengths(pass: RangePass, groups: QueryGroups): () => Map<string, PageCell['contentLength']> {
  const take = pass.collectRows((part) => [bodySizes(part)], groups.groupsOfRows);
  return () =>
    new Map(
      groups.keys.map((key, group): [string, PageCell['contentLength']] => {
        const statistics = timeStatistics(toDistribution(take(group)), null);
        if (statistics === null) return [groupId(Object.values(key)), null];
        const { keepMeasuring: _1, belowClockStep: _2, medianInterval: _3, ...length } = statistics;
        return [groupId(Object.values(key)), length];
      }),
    );
}

/** Of usable rows. Statistics come in thousandths: bytes go in as thousands of them. */
export function bodySizes(part: RowPart): Float64Array {
  const usable = part.metrics.usable();
  const sizes = part.columns.number('encodedBodySize');
  const values = new Float64Array(sizes.length).fill(Number.NaN);
  for (let row = 0; row < sizes.length; row++) {
    const size = sizes[row] as number;
    if (size !== NULL && usable[row] === 1) values[row] = size * 1000;
  }
  return values;
}
