import { quantileRank } from '../../shared/statistics/quantile-rank.ts';
import { summarizeCell } from '../analysis/summary/summarize-cell.ts';
import type { SummaryCell } from '../analysis/summary/summary-document.ts';
import { type Extra, extrasOf } from '../analysis/summary/summary-extras.ts';
import type { CellAggregate } from '../reductions/cell-aggregate.ts';
import { cellAggregateOf } from '../storage/passes/cell-aggregate-of.ts';
import { groupId } from '../storage/passes/cell-groups.ts';
import { aggregateCells, type StoreQuery } from '../storage/passes/collect-cells.ts';
import { createQueryGroups, type Folding } from '../storage/passes/query-groups.ts';
import { createRangeReader, type GroupedBy, type RangeReader } from '../storage/passes/range-reader.ts';
import { howToOpen, type OpenedRange, type ReadingSource } from '../storage/passes/reading-source.ts';
import type { CellCatalog } from '../storage/rollups/cell-catalog.ts';
import { type ComputeMethod, foldedCells, methodOf } from './compute-method.ts';
import { gapCutsOf } from './gap-cuts-of.ts';
import { gatherOverheads } from './gather-overheads.ts';
import { refuseLargeAnswer } from './refuse-large-answer.ts';
import { type Folded, foldEach, foldingReadings, NOTHING_FOLDED } from './viewer/fold-small-groups.ts';
import type { FoldRule } from './viewer/small-groups.ts';
import { toldReasons } from './viewer/told-reasons.ts';
import { createViewer, type Viewer } from './viewer/viewer.ts';

export interface SummaryQuestion extends StoreQuery, FoldRule {
  readonly include: readonly Extra[];
  /** Of `sharesAbove`, ms. */
  readonly thresholds: readonly number[];
  /** Whether single browsers may be named. */
  readonly nameBrowsers: boolean;
}

/** All cells of a summary, ready to be sent: nothing of it is left to the thread that answers requests. */
export function computeSummary(
  source: ReadingSource,
  question: SummaryQuestion,
): ComputeMethod & { readonly cells: readonly SummaryCell[] } {
  const { range, by, filters, include, thresholds, foldBelow } = question;
  const opened = source.open(range, howToOpen(question), readingsOf(question));
  const reader = createRangeReader(opened, source.catalog, opened.exact);
  const viewer = createViewer(source, question, range);
  const ofHosts: GroupedBy = { by: [...new Set([...by, 'host' as const])], filters };
  const [folded = NOTHING_FOLDED, foldedHosts = NOTHING_FOLDED] = foldEach(viewer, reader, [
    { by, filters },
    ...(include.includes('gapCuts') ? [ofHosts] : []),
  ]);
  const aggregates = aggregateCells({ by, filters }, reader, source.catalog, folded.folding, {
    countWaits: !include.includes('serverShares'),
  }).map(cellAggregateOf);
  refuseLargeAnswer(aggregates.length);
  const added = include.includes('overheads') ? overheadsOf(reader, question, source.catalog, folded.folding) : null;
  const cuts = include.includes('gapCuts')
    ? cutsOf(opened, reader, aggregates, question, source, folded.folding, { viewer, foldedHosts })
    : null;
  const cells = aggregates.map((aggregate): SummaryCell => {
    const id = groupId(Object.values(aggregate.key));
    return {
      ...summarizeCell(aggregate),
      unknown: toldReasons(aggregate.unknown, foldBelow),
      ...extrasOf(aggregate, include, thresholds),
      ...(added === null ? {} : { overheads: added.get(id) ?? [] }),
      ...(cuts === null ? {} : { gapCuts: cuts.get(id) ?? { hosts: [], browsers: null, hours: [] } }),
    };
  });
  return { ...methodOf(opened, foldedCells(folded, foldBelow), reader.exact()), cells };
}

/** If it is read sample by sample. */
function readingsOf({ include, foldBelow }: SummaryQuestion): number {
  return (
    1 + foldingReadings(foldBelow) + (include.includes('overheads') ? 1 : 0) + (include.includes('gapCuts') ? 1 : 0)
  );
}

function overheadsOf(reader: RangeReader, query: GroupedBy, catalog: CellCatalog, folding: Folding | null) {
  const pass = reader.pass();
  const found = gatherOverheads(pass, query, catalog, folding);
  pass.run();
  return found();
}

function cutsOf(
  opened: OpenedRange,
  reader: RangeReader,
  aggregates: readonly CellAggregate[],
  { range, by, filters, nameBrowsers }: SummaryQuestion,
  source: ReadingSource,
  folding: Folding | null,
  shown: { readonly viewer: Viewer; readonly foldedHosts: Folded },
) {
  const rows = opened.fine
    ? reader
    : createRangeReader(source.open(range, 'fine'), source.catalog, true).filtered(filters);
  const medians = new Map(
    aggregates.flatMap(({ key, times: { ttlb } }) =>
      ttlb.n === 0 ? [] : [[groupId(Object.values(key)), ttlb.valueAtRank(quantileRank(0.5, ttlb.n))] as const],
    ),
  );
  const groups = createQueryGroups(by, filters, source.catalog, folding);
  return gapCutsOf(rows, groups, medians, { ...shown, nameBrowsers });
}
