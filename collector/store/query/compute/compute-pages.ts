import { NULL } from '../../../../shared/sample/sample-columns.ts';
import { timeStatistics } from '../../../../shared/statistics/time-statistics.ts';
import type { PageCell } from '../../../../shared/summary/answers.ts';
import { type AnyDimension, FEW_BROWSERS } from '../../../../shared/summary/dimensions.ts';
import { summarizeCell } from '../../../../shared/summary/summarize-cell.ts';
import { aggregateCells } from '../answer-query.ts';
import { cellAggregateOf, toDistribution } from '../cell-aggregate-of.ts';
import { groupId } from '../cell-groups.ts';
import { exactCollector } from '../collectors.ts';
import { type Folded, foldSmallGroups } from '../fold-small-groups.ts';
import type { PlainQuery } from '../plain-answer.ts';
import { createQueryGroups, type Folding } from '../query-groups.ts';
import { createRangeReader, type GroupedBy, type RangeReader } from '../range-reader.ts';
import { type ComputeMethod, type ComputeSource, foldedCells, methodOf } from './compute-source.ts';

const BY: readonly AnyDimension[] = ['host', 'template', 'type'];

export interface PagesQuestion extends Pick<PlainQuery, 'range' | 'filters'> {
  /** Pages to tell of, those with most samples. */
  readonly limit: number;
  readonly foldBelow: number;
}

export interface PagesAnswer extends ComputeMethod {
  readonly cells: readonly PageCell[];
  readonly leftOut: { readonly cells: number; readonly samples: number };
}

/** Page by page, from the samples: no rollup knows templates. */
export function computePages(source: ComputeSource, question: PagesQuestion): PagesAnswer {
  const { range, filters, limit, foldBelow } = question;
  const query = { by: BY, filters };
  const opened = source.open(range, 'fine');
  const reader = createRangeReader(opened, source.catalog, true);
  const folded = foldSmallGroups(reader, query, source.catalog, foldBelow);
  const rest = beyond(limit, reader, query, source, folded);
  const folding: Folding = {
    ids: folded.folding?.ids ?? new Set(),
    hidden: folded.folding?.hidden ?? false,
    leftOut: rest.ids,
  };
  const lengths = lengthsOf(reader, query, source, folding);
  const cells = aggregateCells(query, reader, source.catalog, folding).map((cell): PageCell => {
    const summary = summarizeCell(cellAggregateOf(cell));
    return { ...summary, contentLength: lengths.get(groupId(Object.values(cell.key))) ?? null };
  });
  return {
    ...methodOf(opened, foldedCells(folded, foldBelow)),
    cells: cells.sort((a, b) => b.samples - a.samples),
    leftOut: { cells: rest.ids.size, samples: rest.samples },
  };
}

function beyond(limit: number, reader: RangeReader, query: GroupedBy, source: ComputeSource, folded: Folded) {
  const groups = createQueryGroups(query.by, query.filters, source.catalog, folded.folding);
  const counts = reader.count(groups);
  const samplesOf = (group: number) => counts[group]?.get('samples') ?? 0;
  const left = groups
    .sorted()
    .filter((group) => groups.keys[group]?.template !== FEW_BROWSERS)
    .sort((a, b) => samplesOf(b) - samplesOf(a))
    .slice(limit);
  return {
    ids: new Set(left.map((group) => groupId(Object.values(groups.keys[group] ?? {})))),
    samples: left.reduce((sum, group) => sum + samplesOf(group), 0),
  };
}

function lengthsOf(reader: RangeReader, query: GroupedBy, source: ComputeSource, folding: Folding) {
  const groups = createQueryGroups(query.by, query.filters, source.catalog, folding);
  const collector = exactCollector();
  for (const part of reader.parts) {
    const usable = part.measures.usable();
    const sizes = part.columns.number('encodedBodySize');
    // Statistics come in thousandths: bytes go in as thousands of them.
    const values = sizes.map((size, row) => (size === NULL || usable[row] === 0 ? Number.NaN : size * 1000));
    collector.addRows(values, groups.groupsOfRows(part));
  }
  return new Map(
    groups.keys.map((key, group): [string, PageCell['contentLength']] => {
      const statistics = timeStatistics(toDistribution(collector.take(group)), null);
      if (statistics === null) return [groupId(Object.values(key)), null];
      const { keepMeasuring: _1, belowClockStep: _2, medianInterval: _3, ...length } = statistics;
      return [groupId(Object.values(key)), length];
    }),
  );
}
