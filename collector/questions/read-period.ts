import type { Distribution } from '../../shared/statistics/distribution.ts';
import type { AnyDimension, Filters, TimeRange } from '../../shared/vocabulary/dimensions.ts';
import { summarizeCell } from '../analysis/summary/summarize-cell.ts';
import type { Overhead, SummaryCell } from '../analysis/summary/summary-document.ts';
import type { Selection } from '../storage/passes/asked-times.ts';
import { gatherCells } from '../storage/passes/collect-cells.ts';
import {
  markerReadings,
  type OutlierMarker,
  type OutlierRule,
  outlierMarker,
} from '../storage/passes/mark-outliers.ts';
import type { Within } from '../storage/passes/plan-range.ts';
import type { RangeReader } from '../storage/passes/range-reader.ts';
import { howToOpen, type OpenedRange, type ReadingSource } from '../storage/passes/reading-source.ts';
import type { RowPart } from '../storage/passes/row-part.ts';
import { toCellAggregate } from '../storage/passes/to-cell-aggregate.ts';
import { gatherOverheads } from './gather-overheads.ts';
import { type Folded, foldEach, foldingReadings } from './visibility/fold-small-groups.ts';
import type { ViewerRule } from './visibility/visibility.ts';
import { createVisibility, shownReasons } from './visibility/visibility.ts';

/** Values held for the samples of one period: about a million samples, in 128 MB. Beyond that, they are sketched. */
const MAX_VALUES = 32_000_000;

export interface Period {
  readonly range: TimeRange;
  /** Business hours; null counts all hours. */
  readonly within: Within;
}

/** Rules that are the same for every period. */
export interface PeriodRules extends ViewerRule {
  readonly filters: Filters;
  readonly exact: boolean;
  readonly outliers: OutlierRule;
}

export interface PeriodGroups {
  readonly cells: readonly SummaryCell[];
  readonly folded: Folded | null;
  /** All `ttlb` of the first group, µs; null if there is none. */
  readonly values: Distribution | null;
}

export interface ReadPeriod {
  /** In the order of the groupings. */
  readonly groups: readonly PeriodGroups[];
  /** Of all requests together. */
  readonly overheads: readonly Overhead[];
  /** Selects the same samples for another reading. */
  readonly selection: Selection;
  readonly exact: boolean;
  /** See OutlierMarker. */
  readonly exactQuartiles: boolean | null;
  /** Requests left out; null without a rule. */
  readonly outliers: number | null;
}

/** @param more further readings besides `readPeriod` */
export function openPeriod(
  source: ReadingSource,
  { range, within }: Period,
  rules: PeriodRules,
  more = 0,
): Promise<OpenedRange> {
  const { filters, exact, outliers, minGroupSize } = rules;
  const readings = markerReadings(outliers) + foldingReadings(minGroupSize) + (outliers.rule === 'none' ? 2 : 1) + more;
  // Rollups cannot apply outlier rules.
  const how = outliers.rule === 'none' ? howToOpen({ filters, exact }) : 'fine';
  return source.open(range, how, readings, within);
}

/** Reads every grouping of a period at once; Tukey's fences need a reading before that. */
export async function readPeriod(
  source: ReadingSource,
  opened: OpenedRange,
  { range, within }: Period,
  groupings: readonly (readonly AnyDimension[])[],
  rules: PeriodRules,
): Promise<ReadPeriod> {
  const { filters, exact, outliers } = rules;
  const all = opened.reader(exact ? {} : { maxValues: MAX_VALUES });
  const asked = opened.fine ? all.filtered(filters) : all;
  const marker = await outlierMarker(outliers, asked, filters);
  const change = marker === null ? null : (part: RowPart) => marker.mark(part).part;
  const queries = groupings.map((by) => ({ by, filters }));
  const folded = await foldEach(createVisibility(source, rules, range), all, queries);

  const { counting, counted } = countingReader(asked, marker);
  // With exact rollups, the values of all groupings at once would not fit into memory.
  const apart = opened.exact && !opened.fine;
  const together = counting.pass();
  const groups: (() => PeriodGroups)[] = [];
  for (const [i, query] of queries.entries()) {
    const folding = folded[i]?.folding ?? null;
    const pass = apart ? counting.pass() : together;
    const own = pass.groups(query.by, filters, folding);
    const cells = gatherCells(query, pass, own, folding, { countWaits: true });
    const summarize = (): PeriodGroups => {
      const aggregates = cells().map(toCellAggregate);
      return {
        cells: aggregates.map((cell) => ({
          ...summarizeCell(cell),
          unknown: shownReasons(cell.unknown, rules.minGroupSize),
        })),
        folded: folded[i] ?? null,
        values: aggregates[0]?.times.ttlb ?? null,
      };
    };
    if (!apart) {
      groups.push(summarize);
      continue;
    }
    await pass.run();
    const done = summarize();
    groups.push(() => done);
  }
  // A baseline may be among what the filters leave out, which was not read if there is an outlier rule.
  const ofAll = marker === null ? all.pass() : together;
  const overheads = gatherOverheads(ofAll, { by: [], filters }, null);
  await together.run();
  if (ofAll !== together) await ofAll.run();
  return {
    groups: groups.map((summarize) => summarize()),
    overheads: [...overheads().values()][0] ?? [],
    selection: { within, change },
    exact: all.exact(),
    exactQuartiles: marker?.exactQuartiles ?? null,
    outliers: marker === null ? null : counted(),
  };
}

/** @returns a reader for one reading, and the number of outliers found in it */
function countingReader(reader: RangeReader, marker: OutlierMarker | null) {
  let outliers = 0;
  if (marker === null) return { counting: reader, counted: () => outliers };
  const counting = reader.changed((part) => {
    const { part: own, marked } = marker.mark(part);
    outliers += marked;
    return own;
  });
  return { counting, counted: () => outliers };
}
