import type { AnyDimension, CellKey, Filters, TimeRange } from '../../../shared/vocabulary/dimensions.ts';
import type { SummaryTime } from '../../../shared/vocabulary/time-names.ts';
import type { BrowserCount } from '../../reductions/browser-count.ts';
import type { CellCatalog } from '../rollups/cell-catalog.ts';
import { TIME_METRIC_NAMES, type TimeMetric } from '../rollups/time-metrics.ts';
import { groupId } from './cell-groups.ts';
import type { CollectedValues } from './collectors.ts';
import type { Folding, QueryGroups } from './query-groups.ts';
import type { RangePass } from './range-pass.ts';
import { createRangeReader, type GroupedBy, type RangeReader } from './range-reader.ts';
import type { RangeSource } from './range-source.ts';
import { collectRouteWaits, passRoutes, type Routes, type RouteWaits } from './route-waits.ts';

/** Collects everything that is known about every group. */
export function answerAggregate(
  query: StoreQuery,
  source: RangeSource,
  catalog: CellCatalog,
): Promise<CollectedCell[]> {
  return aggregateCells(query, createRangeReader(source, catalog, query.exact), null);
}

interface AggregateExtras {
  /** If they are known already. */
  readonly routes?: Routes;
  /** Collects further data of the same groups in the same pass. */
  readonly more?: (pass: RangePass, groups: QueryGroups) => void;
  /** Only counts the waits on reused connections: `reusedServerShare.share` is not needed. */
  readonly countWaits?: boolean;
}

export async function aggregateCells(
  query: GroupedBy,
  reader: RangeReader,
  folding: Folding | null,
  extras: AggregateExtras = {},
): Promise<CollectedCell[]> {
  const groups = reader.groups(query.by, query.filters, folding);
  const pass = reader.pass(rowsToRead(query, groups, reader, folding));
  const cells = gatherCells(query, pass, groups, folding, extras);
  await pass.run();
  return cells();
}

/** Adds the same collectors to a pass that collects other data too. Call the result once the pass has run. */
export function gatherCells(
  query: GroupedBy,
  pass: RangePass,
  groups: QueryGroups,
  folding: Folding | null,
  { routes, more, countWaits = false }: AggregateExtras = {},
): () => CollectedCell[] {
  const { by } = query;
  const trips = routes === undefined ? passRoutes(pass, query.filters) : () => routes;
  more?.(pass, groups);
  const counts = pass.count(groups);
  const browsers = pass.browsers(groups);
  const measured = TIME_METRIC_NAMES.map((name) => [name, pass.collect([name], groups)] as const);
  // Requests that opened no connection have no set-up to subtract, and their times are not stored twice.
  const notNew = ['reused', 'cache', 'opaque', 'worker', 'failed', 'unknown'];
  const wanted = query.filters.connection?.filter((name) => notNew.includes(name)) ?? notNew;
  const otherGroups = pass.groups(by, { ...query.filters, connection: wanted }, folding);
  const others = pass.collect(['ttlb'], otherGroups);
  const waits = collectRouteWaits(pass, query, groups, folding, trips, !countWaits);

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
          ...browsers.of(group),
          values,
          withoutSetup: other === undefined ? [] : [others(other)],
          routes: waitsOf.get(id) ?? [],
          connections: counters.flatMap(([name, n]) =>
            name.startsWith('connection:') ? [[name.slice(11), n] as const] : [],
          ),
          reusedUsable: counts.get(group, 'reusedUsable'),
        };
      });
  };
}

/** Limits the rows to be read; undefined reads all. Routes are those of all rows that pass the filters. */
function rowsToRead({ filters }: GroupedBy, groups: QueryGroups, reader: RangeReader, folding: Folding | null) {
  if (folding?.leftOut !== undefined) return groups;
  return Object.keys(filters).length > 0 ? reader.groups([], filters) : undefined;
}

/** The metrics whose values together make up one time of a summary. */
export function toMetrics(time: SummaryTime): readonly TimeMetric[] {
  return time === 'wait' ? ['wait', 'waitWhole'] : [time];
}

/** Collects only one time of every group, a fraction of the work. Groups without a value are omitted. */
export async function answerDistributions(
  query: StoreQuery & { readonly time: SummaryTime },
  source: RangeSource,
  catalog: CellCatalog,
): Promise<CollectedTime['cells']> {
  const pass = createRangeReader(source, catalog, query.exact).pass();
  const groups = pass.groups(query.by, query.filters);
  const take = pass.collect(toMetrics(query.time), groups);
  await pass.run();
  return groups.sorted().map((group) => ({ key: groups.keys[group] ?? {}, values: take(group) }));
}

/** A query as plain data that can be sent to another thread. */
export interface StoreQuery {
  readonly range: TimeRange;
  readonly filters: Filters;
  readonly by: readonly AnyDimension[];
  /** Reads every value instead of sketches. */
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

export interface CollectedCell extends BrowserCount {
  readonly key: CellKey;
  /** See row-counters.ts. */
  readonly counters: readonly (readonly [name: string, count: number])[];
  readonly values: Readonly<Record<TimeMetric, CollectedValues>>;
  /** `ttlb` of samples that are not on a new connection; together with `values.ttlbWithoutSetup` it covers all. */
  readonly withoutSetup: readonly CollectedValues[];
  readonly routes: readonly RouteWaits[];
  /** All samples by connection. */
  readonly connections: readonly (readonly [name: string, count: number])[];
  /** Usable samples on reused connections, each of which had a set-up of 0. */
  readonly reusedUsable: number;
}

export interface CollectedTime extends CollectedMethod {
  readonly cells: readonly { readonly key: CellKey; readonly values: CollectedValues }[];
}
