import { ASKED_DIMENSIONS, type AskedDimension, type Filters } from '../../../shared/vocabulary/dimensions.ts';
import { resolveRange } from '../state/time-range.ts';
import type { ViewState } from '../state/view-state.ts';

/** API query for the view's range and filters; `more` groups them or replaces filters. */
export function viewQuery(
  state: Pick<ViewState, 'range' | 'filters'>,
  now: number,
  more: { readonly by?: readonly AskedDimension[]; readonly filters?: Filters } = {},
): string {
  return queryText(state, { ...state.filters, ...more.filters }, more.by ?? [], now);
}

/** Cache key for the view's range and filters, without the clock. */
export function viewKey(state: Pick<ViewState, 'range' | 'filters'>): string {
  return JSON.stringify([state.range, ASKED_DIMENSIONS.map((dimension) => state.filters[dimension] ?? [])]);
}

/** Query for the values of a filter: all filters but its own apply. */
export function facetQuery(state: ViewState, dimension: AskedDimension, now: number): string {
  const { [dimension]: _own, ...others } = state.filters;
  return queryText(state, others, [dimension], now);
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
  for (const dimension of ASKED_DIMENSIONS) {
    for (const value of filters[dimension] ?? []) query.append(dimension, value);
  }
  return query.toString();
}
