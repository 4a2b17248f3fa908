import { quantileRank } from '../../../shared/statistics/quantile-rank.ts';
import { type AnyDimension, FEW_BROWSERS, type Filters } from '../../../shared/vocabulary/dimensions.ts';
import { groupId } from './cell-groups.ts';
import { type CollectedValues, toDistribution } from './collectors.ts';
import type { Folding, QueryGroups } from './query-groups.ts';
import type { RangePass, TakeValues } from './range-pass.ts';
import type { GroupedBy } from './range-reader.ts';

/** Waits on reused connections of one route, and the round trip borrowed from its new connections. */
export interface ReusedWaits {
  /** null if only their number was requested. */
  readonly waits: CollectedValues | null;
  readonly n: number;
  /** Median, µs; null if the route has no new connection. */
  readonly roundTrip: number | null;
  readonly from: 'browser' | 'site' | 'none';
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
 * Waits on reused connections by group id, with the round trip they borrow. Call the result once the pass has run.
 *
 * @param within the groups of the answer
 * @param values false only counts the waits: most answers need no more
 */
export function collectReusedWaits(
  pass: RangePass,
  { by, filters }: GroupedBy,
  within: QueryGroups,
  folding: Folding | null,
  routes: () => Routes,
  values: boolean,
): () => Map<string, ReusedWaits[]> {
  const found = new Map<string, ReusedWaits[]>();
  if (filters.connection !== undefined && !filters.connection.includes('reused')) return () => found;
  const fine = pass.groups([...new Set([...by, ...ROUTE])], { ...filters, connection: ['reused'] });
  const waits = values ? pass.collect(['wait'], fine, within) : null;
  const count = pass.countValues('wait', fine, within);
  return () => {
    const medians = routes();
    for (const group of fine.sorted()) {
      const key = fine.keys[group] ?? {};
      const roundTrip = medians.get(`${key.site}\n${key.host}`) ?? null;
      const own = groupId(by.map((dimension) => key[dimension] ?? null));
      const id = folding?.ids.has(own) ? groupId(by.map(() => FEW_BROWSERS)) : own;
      const list = found.get(id) ?? [];
      list.push({
        waits: waits === null ? null : waits(group),
        n: count(group),
        roundTrip,
        from: roundTrip === null ? 'none' : 'site',
      });
      found.set(id, list);
    }
    return found;
  };
}
