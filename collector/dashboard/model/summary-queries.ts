import { DIMENSIONS, type Dimension, type Filters } from '../../../shared/summary/dimensions.ts';
import { resolveRange } from '../state/time-range.ts';
import type { ViewState } from '../state/view-state.ts';

/** What a view reads: query strings of `/api/v1/summary`, by the name the view knows them under. */
export type SummaryQueries = Readonly<Record<string, string>>;

export function summaryQueries(state: ViewState, now: number): SummaryQueries {
  if (state.page === null) return { cells: queryText(state, state.filters, ['host', 'type'], now) };
  const filters = { ...state.filters, host: [state.page] };
  return {
    cells: queryText(state, filters, ['host', 'type'], now),
    whole: queryText(state, filters, ['host'], now),
  };
}

/** The values a filter can take now: its own choice is left out, all the others hold. */
export function facetQuery(state: ViewState, dimension: Dimension, now: number): string {
  const { [dimension]: _own, ...others } = state.filters;
  return queryText(state, others, [dimension], now);
}

function queryText(state: ViewState, filters: Filters, by: readonly Dimension[], now: number): string {
  const { from, to } = resolveRange(state.range, now);
  const query = new URLSearchParams({
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    by: by.join(','),
  });
  for (const dimension of DIMENSIONS) {
    for (const value of filters[dimension] ?? []) query.append(dimension, value);
  }
  return query.toString();
}
