import type { AnyDimension, CellKey, Filters, TimeRange } from '../../../shared/vocabulary/dimensions.ts';
import type { SummaryTime } from '../../../shared/vocabulary/time-names.ts';
import type { CellCatalog } from '../rollups/cell-catalog.ts';
import { TIME_METRIC_NAMES, type TimeMetric } from '../rollups/time-metrics.ts';
import { groupId } from './cell-groups.ts';
import type { CollectedValues } from './collectors.ts';
import { createQueryGroups, type Folding, type QueryGroups } from './query-groups.ts';
import type { RangePass } from './range-pass.ts';
import { createRangeReader, type GroupedBy, type RangeReader, type RangeSource } from './range-reader.ts';
import { collectReusedWaits, passRoutes, type Routes } from './reused-waits.ts';

/** Everything known of every group. */
export function answerAggregate(query: StoreQuery, source: RangeSource, catalog: CellCatalog): CollectedCell[] {
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
): CollectedCell[] {
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
): () => CollectedCell[] {
  const { by } = query;
  const trips = routes === undefined ? passRoutes(pass, query.filters, catalog) : () => routes;
  more?.(pass, groups);
  const counts = pass.count(groups);
  const browsers = pass.browsers(groups);
  const measured = TIME_METRIC_NAMES.map((name) => [name, pass.collect([name], groups)] as const);
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
      .map((group): CollectedCell => {
        const key = groups.keys[group] ?? {};
        const id = groupId(Object.values(key));
        const other = othersOf.get(id);
        const counters = counts.entries(group);
        const values = Object.fromEntries(measured.map(([name, take]) => [name, take(group)])) as Record<
          TimeMetric,
          CollectedValues
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
export function metricsOf(time: SummaryTime): readonly TimeMetric[] {
  return time === 'wait' ? ['wait', 'waitWhole'] : [time];
}

/** One time of every group, and nothing else: a fraction of the work. Groups without any value are left out. */
export function answerDistributions(
  query: StoreQuery & { readonly time: SummaryTime },
  source: RangeSource,
  catalog: CellCatalog,
): CollectedTime['cells'] {
  const groups = createQueryGroups(query.by, query.filters, catalog);
  const pass = createRangeReader(source, catalog, query.exact).pass();
  const take = pass.collect(metricsOf(query.time), groups);
  pass.run();
  return groups.sorted().map((group) => ({ key: groups.keys[group] ?? {}, values: take(group) }));
}

/** A question as plain data, so that another thread can answer it. */
export interface StoreQuery {
  readonly range: TimeRange;
  readonly filters: Filters;
  readonly by: readonly AnyDimension[];
  /** Read every value instead of sketches. */
  readonly exact: boolean;
}

export interface TimeQuery extends StoreQuery {
  readonly time: SummaryTime;
}

interface CollectedMethod {
  readonly exact: boolean;
  readonly dataHash: string;
  readonly samples: number;
}

export interface CollectedAggregate extends CollectedMethod {
  readonly cells: readonly CollectedCell[];
}

export interface CollectedCell {
  readonly key: CellKey;
  /** See row-counters.ts. */
  readonly counters: readonly (readonly [name: string, count: number])[];
  readonly browsers: number;
  readonly values: Readonly<Record<TimeMetric, CollectedValues>>;
  /** `ttlb` of all that is not on a new connection; beside `values.ttlbWithoutSetup` it is that of all. */
  readonly withoutSetup: readonly CollectedValues[];
  readonly reusedWaits: readonly ReusedWaits[];
  /** All samples by connection. */
  readonly connections: readonly (readonly [name: string, count: number])[];
  /** Usable ones on reused connections, each of which paid 0 for its set-up. */
  readonly reusedUsable: number;
}

/** Waits on reused connections that took the same route, and the round trip they borrow from new ones there. */
export interface ReusedWaits {
  /** null where only their number was asked for. */
  readonly waits: CollectedValues | null;
  readonly n: number;
  /** Median, µs; null where no new connection took that route. */
  readonly roundTrip: number | null;
  readonly from: 'browser' | 'site' | 'none';
}

export interface CollectedTime extends CollectedMethod {
  readonly cells: readonly { readonly key: CellKey; readonly values: CollectedValues }[];
}
