import type { SummaryTime } from '../../../shared/vocabulary/time-names.ts';
import type { CellCatalog } from '../rollups/cell-catalog.ts';
import { MEASURE_NAMES, type Measure } from '../rollups/measures.ts';
import { groupId } from './cell-groups.ts';
import type { PlainDistribution } from './collectors.ts';
import type { PlainCell, PlainDistributionAnswer, PlainQuery } from './plain-answer.ts';
import { createQueryGroups, type Folding, type QueryGroups } from './query-groups.ts';
import type { RangePass } from './range-pass.ts';
import { createRangeReader, type GroupedBy, type RangeReader, type RangeSource } from './range-reader.ts';
import { collectReusedWaits, passRoutes, type Routes } from './reused-waits.ts';

/** Everything known of every group. */
export function answerAggregate(query: PlainQuery, source: RangeSource, catalog: CellCatalog): PlainCell[] {
  return aggregateCells(query, createRangeReader(source, catalog, query.exact), catalog, null);
}

interface AggregateExtras {
  /** Where they are known already. */
  readonly routes?: Routes;
  /** Gathers more of the same groups in the same reading. */
  readonly more?: (pass: RangePass, groups: QueryGroups) => void;
  /** Whether the waits on reused connections are only counted: nobody asks for `reusedServerShare.share`. */
  readonly countWaits?: boolean;
}

export function aggregateCells(
  query: GroupedBy,
  reader: RangeReader,
  catalog: CellCatalog,
  folding: Folding | null,
  extras: AggregateExtras = {},
): PlainCell[] {
  const groups = createQueryGroups(query.by, query.filters, catalog, folding);
  const pass = reader.pass(rowsToRead(query, groups, catalog, folding));
  const cells = gatherCells(query, pass, groups, catalog, folding, extras);
  pass.run();
  return cells();
}

/** Gathers the same beside whatever else is gathered in one reading. What is returned is asked once the pass has run. */
export function gatherCells(
  query: GroupedBy,
  pass: RangePass,
  groups: QueryGroups,
  catalog: CellCatalog,
  folding: Folding | null,
  { routes, more, countWaits = false }: AggregateExtras = {},
): () => PlainCell[] {
  const { by } = query;
  const trips = routes === undefined ? passRoutes(pass, query.filters, catalog) : () => routes;
  more?.(pass, groups);
  const counts = pass.count(groups);
  const browsers = pass.browsers(groups);
  const measured = MEASURE_NAMES.map((name) => [name, pass.collect([name], groups)] as const);
  // What is no new connection has no set-up to be taken off; its whole times were not stored twice.
  const notNew = ['reused', 'cache', 'opaque', 'worker', 'failed', 'unknown'];
  const wanted = query.filters.connection?.filter((name) => notNew.includes(name)) ?? notNew;
  const otherGroups = createQueryGroups(by, { ...query.filters, connection: wanted }, catalog, folding);
  const others = pass.collect(['ttlb'], otherGroups);
  const waits = collectReusedWaits(pass, query, groups, catalog, folding, trips, !countWaits);

  return () => {
    const othersOf = new Map(otherGroups.keys.map((key, group) => [groupId(Object.values(key)), group]));
    const waitsOf = waits();
    return groups
      .sorted()
      .filter((group) => counts.get(group, 'samples') > 0)
      .map((group): PlainCell => {
        const key = groups.keys[group] ?? {};
        const id = groupId(Object.values(key));
        const other = othersOf.get(id);
        const counters = counts.entries(group);
        const values = Object.fromEntries(measured.map(([name, take]) => [name, take(group)])) as Record<
          Measure,
          PlainDistribution
        >;
        return {
          key,
          counters: counters.filter(([name]) => !name.startsWith('connection:') && name !== 'reusedUsable'),
          browsers: browsers.size(group),
          values,
          withoutSetup: other === undefined ? [] : [others(other)],
          reusedWaits: waitsOf.get(id) ?? [],
          connections: counters.flatMap(([name, n]) =>
            name.startsWith('connection:') ? [[name.slice(11), n] as const] : [],
          ),
          reusedUsable: counts.get(group, 'reusedUsable'),
        };
      });
  };
}

/** Rows of other groups are not looked at; undefined where all are asked for. Routes are those of everybody asked for. */
function rowsToRead({ filters }: GroupedBy, groups: QueryGroups, catalog: CellCatalog, folding: Folding | null) {
  if (folding?.leftOut !== undefined) return groups;
  return Object.keys(filters).length > 0 ? createQueryGroups([], filters, catalog) : undefined;
}

/** The measures whose values together are one time of a summary. */
export function measuresOf(time: SummaryTime): readonly Measure[] {
  return time === 'wait' ? ['wait', 'waitWhole'] : [time];
}

/** One time of every group, and nothing else: a fraction of the work. Groups without any value are left out. */
export function answerDistributions(
  query: PlainQuery & { readonly time: SummaryTime },
  source: RangeSource,
  catalog: CellCatalog,
): PlainDistributionAnswer['cells'] {
  const groups = createQueryGroups(query.by, query.filters, catalog);
  const pass = createRangeReader(source, catalog, query.exact).pass();
  const take = pass.collect(measuresOf(query.time), groups);
  pass.run();
  return groups.sorted().map((group) => ({ key: groups.keys[group] ?? {}, values: take(group) }));
}
