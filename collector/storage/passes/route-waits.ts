import { quantileRank } from '../../../shared/statistics/quantile-rank.ts';
import { type AnyDimension, FEW_BROWSERS, type Filters } from '../../../shared/vocabulary/dimensions.ts';
import { groupId } from './cell-groups.ts';
import { type CollectedValues, toDistribution } from './collectors.ts';
import type { Folding, QueryGroups } from './query-groups.ts';
import type { RangePass, TakeValues } from './range-pass.ts';
import type { GroupedBy } from './range-reader.ts';

/** Waits of one route, and the median round trip of its new connections. */
export interface RouteWaits {
  /** Of all connections, HTTP/3 and Early Hints included. */
  readonly waits: CollectedValues;
  /** Those on reused connections from which a round trip can be subtracted; null if only their number was requested. */
  readonly reusedWaits: CollectedValues | null;
  readonly reused: number;
  /** Median, µs; null if the route has no new connection. */
  readonly roundTrip: number | null;
}

/** One network path, as far as rollups can distinguish paths. */
const ROUTE: readonly AnyDimension[] = ['site', 'host'];

/** Median round trips by route, µs. */
export type Routes = ReadonlyMap<string, number>;

/**
 * The median round trip of new connections on each route, of all samples that pass the filters, shown or not. Call the
 * result once the pass has run.
 */
export function passRoutes(pass: RangePass, filters: Filters): () => Routes {
  const routes = pass.groups(ROUTE, filters);
  const trips = pass.collect(['roundTrip'], routes);
  return () => mediansOf(routes, trips);
}

function mediansOf(routes: QueryGroups, trips: TakeValues): Routes {
  const medians = new Map<string, number>();
  for (const group of routes.sorted()) {
    const { site, host } = routes.keys[group] ?? {};
    // Browsers without a site label have nothing in common.
    if (site === null) continue;
    const { n, valueAtRank } = toDistribution(trips(group));
    if (n > 0) medians.set(`${site}\n${host}`, Math.round(valueAtRank(quantileRank(0.5, n))));
  }
  return medians;
}

/**
 * Waits by group id and route, with the route's round trip. Call the result once the pass has run.
 *
 * @param within the groups of the answer
 * @param values false only counts the waits on reused connections: most answers need no more
 */
export function collectRouteWaits(
  pass: RangePass,
  { by, filters }: GroupedBy,
  within: QueryGroups,
  folding: Folding | null,
  routes: () => Routes,
  values: boolean,
): () => Map<string, RouteWaits[]> {
  const dimensions = [...new Set([...by, ...ROUTE])];
  const fine = pass.groups(dimensions, filters);
  const waits = pass.collect(['wait', 'waitWhole'], fine, within);
  const borrows = filters.connection === undefined || filters.connection.includes('reused');
  const borrowers = borrows ? pass.groups(dimensions, { ...filters, connection: ['reused'] }) : null;
  const reusedWaits = values && borrowers !== null ? pass.collect(['wait'], borrowers, within) : null;
  const count = borrowers === null ? null : pass.countValues('wait', borrowers, within);
  return () => {
    const found = new Map<string, RouteWaits[]>();
    const medians = routes();
    const borrowerOf = new Map(borrowers?.keys.map((key, group) => [groupId(Object.values(key)), group]));
    for (const group of fine.sorted()) {
      const key = fine.keys[group] ?? {};
      const roundTrip = medians.get(`${key.site}\n${key.host}`) ?? null;
      const own = groupId(by.map((dimension) => key[dimension] ?? null));
      const id = folding?.ids.has(own) ? groupId(by.map(() => FEW_BROWSERS)) : own;
      const list = found.get(id) ?? [];
      const borrower = borrowerOf.get(groupId(Object.values(key)));
      list.push({
        waits: waits(group),
        reusedWaits: borrower === undefined ? null : (reusedWaits?.(borrower) ?? null),
        reused: borrower === undefined ? 0 : (count?.(borrower) ?? 0),
        roundTrip,
      });
      found.set(id, list);
    }
    return found;
  };
}
