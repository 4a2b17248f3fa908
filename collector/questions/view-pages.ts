import { timeStatistics } from '../../shared/statistics/time-statistics.ts';
import type { AnyDimension } from '../../shared/vocabulary/dimensions.ts';
import type { FoldedCells } from '../analysis/summary/summary-document.ts';
import { type PageGroup, resultCode, sortPages } from '../analysis/tables/page-groups.ts';
import type { PagesFacts } from '../analysis/tables/pages-view.ts';
import { toSizeClass } from '../analysis/tables/receive-by-size-table.ts';
import { groupId } from '../storage/passes/cell-groups.ts';
import { aggregateCells } from '../storage/passes/collect-cells.ts';
import {
  collectBodySizes,
  collectReceiveBySize,
  collectResults,
  FAILED,
} from '../storage/passes/collect-page-facts.ts';
import { toDistribution } from '../storage/passes/collectors.ts';
import type { Folding, QueryGroups } from '../storage/passes/query-groups.ts';
import type { RangePass } from '../storage/passes/range-pass.ts';
import type { GroupedBy, RangeReader } from '../storage/passes/range-reader.ts';
import { toCellAggregate } from '../storage/passes/to-cell-aggregate.ts';
import { foldingReadings, foldSmallGroups } from './visibility/fold-small-groups.ts';
import type { Visibility } from './visibility/visibility.ts';

const BY: readonly AnyDimension[] = ['host', 'template', 'type'];
/** Pages listed; the others are only counted. */
const MAX_PAGES = 1000;

/**
 * The data of the pages view: pages from rows, totals from rollups if possible.
 *
 * @param packs reads the range as coarsely as permitted
 * @param rows reads it sample by sample
 */
export async function readPages(
  packs: RangeReader,
  rows: RangeReader,
  filters: GroupedBy['filters'],
  visibility: Visibility,
  unfiltered: RangeReader,
): Promise<PagesFacts & { readonly folded: FoldedCells | null }> {
  const all = rows.groups(BY, filters);
  const few = await foldSmallGroups(visibility, unfiltered, { by: BY, filters });
  const first = rows.pass();
  const tally = first.tally(all);
  const everybody = visibility.minGroupSize <= 1 ? collectReceive(first, rows.groups([], filters)) : null;
  await first.run();
  const idOf = (group: number) => groupId(Object.values(all.keys[group] ?? {}));
  const samplesOf = (groups: readonly number[]) => groups.reduce((sum, group) => sum + tally(group), 0);
  const everything = all.keys.map((_, group) => group);
  const small = everything.filter((group) => few.folding?.ids.has(idOf(group)));
  const hidden = new Set(small);
  const shown = everything.filter((group) => !hidden.has(group)).sort((a, b) => tally(b) - tally(a));
  const rest = shown.slice(MAX_PAGES);

  // Pages that may not be shown are left out of all other numbers too.
  const kept: Folding = { ids: new Set(small.map(idOf)), hidden: true };
  const tabled = { ...kept, leftOut: new Set(rest.map(idOf)) };
  const permitted = small.length === 0 ? null : rows.groups(BY, filters, kept);
  const wanted = rows.groups(BY, filters, tabled);
  const second = rows.pass(wanted);
  const pages = collectPages(second, wanted);
  await second.run();
  const receive = everybody ?? (await receiveOf(rows, permitted ?? rows.groups([], filters)));
  return {
    pages: sortPages(pages()),
    leftOut: { pages: rest.length, requests: samplesOf(rest) },
    receive: receive(),
    whole: (await wholeOf(permitted === null ? packs : rows.within(permitted), filters)) ?? null,
    folded: small.length === 0 ? null : { below: visibility.minGroupSize, shownTogether: false },
  };
}

/**
 * How often rows are read for the view of pages; once more than needed if it turns out that everything may be shown.
 * @param fine everything is read from rows
 */
export function readingsOfPages(minGroupSize: number, fine: boolean): number {
  const folding = foldingReadings(minGroupSize);
  if (folding > 0) return 4 + folding;
  return fine ? 3 : 2;
}

async function receiveOf(rows: RangeReader, groups: QueryGroups): Promise<() => PagesFacts['receive']> {
  const pass = rows.pass();
  const receive = collectReceive(pass, groups);
  await pass.run();
  return receive;
}

async function wholeOf(reader: RangeReader, filters: GroupedBy['filters']) {
  const cells = await aggregateCells({ by: [], filters }, reader, null);
  return cells.map(toCellAggregate)[0];
}

/** Call the result once the pass has run. */
function collectPages(pass: RangePass, groups: QueryGroups): () => PageGroup[] {
  const ttfb = pass.collect(['ttfb'], groups);
  const ttlb = pass.collect(['ttlb'], groups);
  const wait = pass.collect(['wait', 'waitWhole'], groups);
  const length = collectBodySizes(pass, groups);
  const clock = pass.clockSteps(groups);
  const browsers = pass.browsers(groups);
  const counts = collectResults(pass, groups);
  return () =>
    groups.keys.map(({ host, template, type }, group) => {
      const { hits = 0, codes = [] } = counts[group] ?? {};
      const statistics = (take: typeof ttfb) =>
        timeStatistics(toDistribution(take(group)), clock(group) ?? 0, browsers.of(group).browsers);
      return {
        host: host ?? '',
        template: template ?? '',
        type: type ?? '',
        hits,
        codes: new Map([...codes].map(([code, n]) => [nameOf(code), n])),
        ttfb: statistics(ttfb),
        ttlb: statistics(ttlb),
        wait: statistics(wait),
        length: timeStatistics(toDistribution(length(group)), null),
      };
    });
}

function nameOf(code: number): string {
  return resultCode(code < 0 ? null : code, code === FAILED ? 'failed' : '');
}

/** Receive times by size class. Call the result once the pass has run. */
function collectReceive(pass: RangePass, groups: QueryGroups): () => PagesFacts['receive'] {
  const { classes, take } = collectReceiveBySize(pass, groups, toSizeClass);
  return () =>
    new Map(
      [...classes].flatMap((power) => {
        const values = toDistribution(take(power));
        return power < 0 || values.n === 0 ? [] : [[power, values] as const];
      }),
    );
}
