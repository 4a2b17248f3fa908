import { Type } from 'typebox';
import { quantileRank } from '../../shared/statistics/quantile-rank.ts';
import { ASKED_DIMENSIONS, isFewBrowsers } from '../../shared/vocabulary/dimensions.ts';
import { MethodSchema, object } from '../analysis/answer-schema.ts';
import { toHttpsCost } from '../analysis/summary/https-cost.ts';
import { summarizeCell } from '../analysis/summary/summarize-cell.ts';
import {
  CELL,
  EXTRAS,
  type Extra,
  type SummaryCell,
  type SummaryDocument,
} from '../analysis/summary/summary-document.ts';
import { DEFAULT_THRESHOLDS, toExtras } from '../analysis/summary/summary-extras.ts';
import type { CellAggregate } from '../reductions/cell-aggregate.ts';
import { groupId } from '../storage/passes/cell-groups.ts';
import type { StoreQuery } from '../storage/passes/collect-cells.ts';
import { aggregateCells } from '../storage/passes/collect-cells.ts';
import type { Folding } from '../storage/passes/query-groups.ts';
import type { GroupedBy, RangeReader } from '../storage/passes/range-reader.ts';
import { howToOpen, type OpenedRange, type ReadingSource } from '../storage/passes/reading-source.ts';
import { toCellAggregate } from '../storage/passes/to-cell-aggregate.ts';
import { gatherOverheads } from './gather-overheads.ts';
import { dimensions, EXACT, filters, OPEN_RANGE, type ReadParameters, someOf, wholes } from './parameters.ts';
import { describeMethod, foldedCells, question, refuseLargeAnswer } from './question.ts';
import { readGapCuts } from './read-gap-cuts.ts';
import { readSampleExtras } from './read-sample-extras.ts';
import { readTlsPaid } from './read-tls-paid.ts';
import { LEFT_OUT, TOP, topGroups, topReadings } from './top-groups.ts';
import { type Folded, foldEach, foldingReadings, NOTHING_FOLDED } from './visibility/fold-small-groups.ts';
import type { ViewerRule } from './visibility/visibility.ts';
import { createVisibility, shownReasons, type Visibility } from './visibility/visibility.ts';

/** Parts that are read from samples, together. */
const OF_SAMPLES: ReadonlySet<Extra> = new Set<Extra>(['slowGroup', 'abandoned']);
const MAX_THRESHOLD_MS = 600_000;

export interface SummaryPlan extends StoreQuery, ViewerRule {
  readonly include: readonly Extra[];
  /** Groups at most, those waited for longest; all if null or absent. */
  readonly top?: number | null;
  /** Thresholds of `sharesAbove`, ms. */
  readonly above: readonly number[];
  /** Whether individual browsers may be named. */
  readonly nameBrowsers: boolean;
}

const PARAMETERS = {
  range: OPEN_RANGE,
  by: dimensions(ASKED_DIMENSIONS, ['host', 'type']),
  top: TOP,
  exact: EXACT,
  include: someOf(EXTRAS, 'Additional parts of every cell', 'peaks'),
  above: wholes({ min: 0, max: MAX_THRESHOLD_MS }, DEFAULT_THRESHOLDS, 'Thresholds of sharesAbove, ms'),
  filters: filters(ASKED_DIMENSIONS),
};
export type SummaryQuery = ReadParameters<typeof PARAMETERS>;

export const summary = question({
  name: 'summary',
  address: '/api/v1/summary',
  description: 'Per group: phases, connections, evidence, the gap between median and average, the verdict.',
  parameters: PARAMETERS,
  query: (given) => given,
  answer: Type.Unsafe<SummaryDocument>(object({ method: MethodSchema, cells: Type.Array(object(CELL)), ...LEFT_OUT })),
  takesLong: (plan: SummaryPlan) =>
    plan.include.some((part) => part === 'gapCuts' || part === 'httpsCost' || OF_SAMPLES.has(part)) ||
    howToOpen(plan) === 'fine',
  plan: (query, { range, rule, nameBrowsers }): SummaryPlan => ({ ...query, range, ...rule, nameBrowsers }),
  asked: (plan) => plan,
  async read(source, plan) {
    const { range, by, filters, include, above, minGroupSize, nameBrowsers, top } = plan;
    const opened = await source.open(range, howToOpen(plan), readingsOf(plan));
    const reader = opened.reader();
    const visibility = createVisibility(source, plan, range);
    const ofHosts: GroupedBy = { by: [...new Set([...by, 'host' as const])], filters };
    const [folded = NOTHING_FOLDED, foldedHosts = NOTHING_FOLDED] = await foldEach(visibility, reader, [
      { by, filters },
      ...(include.includes('gapCuts') ? [ofHosts] : []),
    ]);
    const { folding, leftOut, routes } = await topGroups(reader, { by, filters }, folded, top);
    const collected = await aggregateCells({ by, filters }, reader, folding, {
      ...(routes === undefined ? {} : { routes }),
      countWaits: !include.includes('serverShares'),
    });
    const aggregates = collected.map(toCellAggregate);
    refuseLargeAnswer(aggregates.length);
    const added = include.includes('overheads') ? await overheadsOf(reader, plan, folding) : null;
    const cuts = include.includes('gapCuts')
      ? await cutsOf(opened, reader, aggregates, plan, source, folding, { visibility, foldedHosts })
      : null;
    const summarized = aggregates.map((aggregate) => [aggregate, summarizeCell(aggregate)] as const);
    const ofSamples = include.some((part) => OF_SAMPLES.has(part))
      ? await readSampleExtras(
          source,
          plan,
          include.includes('slowGroup') ? slowFrom(summarized) : new Map(),
          folding,
          visibility,
        )
      : null;
    const paid = include.includes('httpsCost') ? await readTlsPaid(source, plan, folding) : null;
    const shownCost = (aggregate: CellAggregate, id: string) => {
      const cost = toHttpsCost(aggregate, paid && (paid.get(id) ?? []));
      return nameBrowsers ? cost : { ...cost, busiest: null };
    };
    const cells = summarized.map(([aggregate, cell]): SummaryCell => {
      const id = groupId(Object.values(aggregate.key));
      return {
        ...cell,
        unknown: shownReasons(aggregate.unknown, minGroupSize),
        ...(folding?.large === undefined || !isFewBrowsers(aggregate.key) ? {} : { foldedWith: folding.large }),
        ...toExtras(aggregate, include, above),
        ...(added === null ? {} : { overheads: added.get(id) ?? [] }),
        ...(include.includes('slowGroup') ? { slowGroup: ofSamples?.get(id)?.slowGroup ?? null } : {}),
        ...(include.includes('abandoned') ? { abandoned: ofSamples?.get(id)?.abandoned ?? null } : {}),
        ...(include.includes('httpsCost') ? { httpsCost: shownCost(aggregate, id) } : {}),
        ...(cuts === null ? {} : { gapCuts: cuts.get(id) ?? { hosts: [], browsers: null, hours: [] } }),
      };
    });
    return {
      ...(await describeMethod(opened, foldedCells(folded, minGroupSize), reader.exact())),
      cells,
      ...(leftOut === undefined ? {} : { leftOut }),
    };
  },
});

/** Readings if it is read sample by sample. */
function readingsOf({ include, minGroupSize, top }: SummaryPlan): number {
  return (
    1 +
    foldingReadings(minGroupSize) +
    topReadings(top) +
    (include.includes('overheads') ? 1 : 0) +
    (include.includes('gapCuts') ? 1 : 0)
  );
}

/** Where slow begins in each cell that has a gap, µs. */
function slowFrom(cells: readonly (readonly [CellAggregate, SummaryCell])[]): Map<string, number> {
  return new Map(
    cells.flatMap(([{ key }, { gap }]) =>
      gap === null ? [] : [[groupId(Object.values(key)), Math.round(1000 * gap.tailFrom)] as const],
    ),
  );
}

async function overheadsOf(reader: RangeReader, query: GroupedBy, folding: Folding | null) {
  const pass = reader.pass();
  const found = gatherOverheads(pass, query, folding);
  await pass.run();
  return found();
}

async function cutsOf(
  opened: OpenedRange,
  reader: RangeReader,
  aggregates: readonly CellAggregate[],
  { range, by, filters, nameBrowsers }: SummaryPlan,
  source: ReadingSource,
  folding: Folding | null,
  shown: { readonly visibility: Visibility; readonly foldedHosts: Folded },
) {
  const rows = opened.fine ? reader : (await source.open(range, 'fine')).reader().filtered(filters);
  const medians = new Map(
    aggregates.flatMap(({ key, times: { ttlb } }) =>
      ttlb.n === 0 ? [] : [[groupId(Object.values(key)), ttlb.valueAtRank(quantileRank(0.5, ttlb.n))] as const],
    ),
  );
  const groups = rows.groups(by, filters, folding);
  return readGapCuts(rows, groups, medians, { ...shown, nameBrowsers });
}
