import type { AskedDimension, Filters } from '../../../shared/vocabulary/dimensions.ts';
import type { PageContext } from '../app/page-context.ts';
import type { ViewQuery } from '../query-cache/query-state.ts';
import { resolveRange } from '../state/time-range.ts';
import { FILTER_NAMES, type ViewState, withoutDimension } from '../state/view-state.ts';

/**
 * API query for the view's range and filters; `more` groups them or replaces filters. A replaced filter's dimension is no
 * longer excluded either.
 */
export function viewQuery(
  state: Pick<ViewState, 'range' | 'filters'>,
  now: number,
  more: { readonly by?: readonly AskedDimension[]; readonly filters?: Filters } = {},
): string {
  const replaced = Object.keys(more.filters ?? {}) as AskedDimension[];
  const kept = replaced.reduce(withoutDimension, state.filters);
  return queryText(state, { ...kept, ...more.filters }, more.by ?? [], now);
}

/** The same about users' own requests, without probes unless the view filters by source: as findings and reports count. */
export function usersQuery(...[state, now, more]: Parameters<typeof viewQuery>): string {
  const { source, 'not.source': not } = state.filters;
  if (source !== undefined || not !== undefined) return viewQuery(state, now, more);
  return viewQuery({ ...state, filters: { ...state.filters, source: ['page'] } }, now, more);
}

/** Restricts the answer to its top groups; undefined is all. */
export function topQuery(top: number | undefined): string {
  return top === undefined ? '' : `&top=${top}`;
}

/** Cache key for the view's range and filters, without the clock. */
export function viewKey(state: Pick<ViewState, 'range' | 'filters'>): string {
  return JSON.stringify([state.range, FILTER_NAMES.map((name) => state.filters[name] ?? [])]);
}

interface Asked extends NonNullable<Parameters<typeof viewQuery>[2]> {
  /** As `usersQuery`. */
  readonly users?: boolean;
  /** Further parameters, each with `&` before it. */
  readonly extra?: string;
}

/** A question of the API about the view's range and filters. */
export function viewQuestion<Document>(
  { state, client, now }: Pick<PageContext, 'state' | 'client' | 'now'>,
  path: string,
  { users = false, extra = '', ...more }: Asked = {},
): ViewQuery<Document> {
  const queryOf = users ? usersQuery : viewQuery;
  return {
    key: `${path} ${users} ${extra} ${JSON.stringify(more)} ${viewKey(state)}`,
    read: (signal, report) => client.read(`/${path}?${queryOf(state, now(), more)}${extra}`, signal, report),
  };
}

/** Query for the values of a filter: all filters but its own apply. */
export function facetQuery(state: ViewState, dimension: AskedDimension, now: number): string {
  return queryText(state, withoutDimension(state.filters, dimension), [dimension], now);
}

function queryText(
  state: Pick<ViewState, 'range'>,
  filters: Filters,
  by: readonly AskedDimension[],
  now: number,
): string {
  const { from, to } = resolveRange(state.range, now);
  const query = new URLSearchParams({
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
  });
  if (by.length > 0) query.set('by', by.join(','));
  for (const name of FILTER_NAMES) {
    for (const value of filters[name] ?? []) query.append(name, value);
  }
  return query.toString();
}
