import { DIMENSIONS, type Dimension, type Filters } from '../../../shared/summary/dimensions.ts';
import { COLUMN_IDS, type ColumnId } from '../model/column-ids.ts';
import { DEFAULT_PRESET, isPresetName, type RangeChoice } from './time-range.ts';

/** Everything that decides what is on the screen. It lives in the URL, so that a link is a view. */
export interface ViewState {
  readonly range: RangeChoice;
  readonly filters: Filters;
  /** The host whose page is open; null on the overview. */
  readonly page: string | null;
  /** The resource type shown in the charts; null leaves the choice to the data. */
  readonly kind: string | null;
  readonly sort: Sort;
}

export interface Sort {
  readonly column: ColumnId;
  readonly descending: boolean;
}

const DEFAULT_SORT: Sort = { column: 'waited', descending: true };

export const INITIAL_STATE: ViewState = {
  range: { preset: DEFAULT_PRESET },
  filters: {},
  page: null,
  kind: null,
  sort: DEFAULT_SORT,
};

/** Reads a query string; whatever it cannot understand falls back to the default, so an old link still opens. */
export function parseViewState(search: string): ViewState {
  const query = new URLSearchParams(search);
  const filters: Partial<Record<Dimension, readonly string[]>> = {};
  for (const dimension of DIMENSIONS) {
    const values = [...new Set(query.getAll(dimension).filter((value) => value !== ''))];
    if (values.length > 0) filters[dimension] = values;
  }
  return {
    range: parseRange(query),
    filters,
    page: query.get('page') || null,
    kind: query.get('kind') || null,
    sort: parseSort(query.get('sort')),
  };
}

/** The query string of a state, `''` for the initial one; `parseViewState` reads it back unchanged. */
export function formatViewState(state: ViewState): string {
  const query = new URLSearchParams();
  if (state.page !== null) query.set('page', state.page);
  if (state.kind !== null) query.set('kind', state.kind);
  if (!('preset' in state.range)) {
    query.set('from', new Date(state.range.from).toISOString());
    query.set('to', new Date(state.range.to).toISOString());
  } else if (state.range.preset !== DEFAULT_PRESET) {
    query.set('range', state.range.preset);
  }
  for (const dimension of DIMENSIONS) {
    for (const value of state.filters[dimension] ?? []) query.append(dimension, value);
  }
  const { column, descending } = state.sort;
  if (column !== DEFAULT_SORT.column || descending !== DEFAULT_SORT.descending) {
    query.set('sort', `${descending ? '-' : ''}${column}`);
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

/** The same state with one dimension's values replaced; an empty list removes the filter. */
export function withFilter(state: ViewState, dimension: Dimension, values: readonly string[]): ViewState {
  const { [dimension]: _replaced, ...others } = state.filters;
  return { ...state, filters: values.length === 0 ? others : { ...others, [dimension]: values } };
}

function parseRange(query: URLSearchParams): RangeChoice {
  const from = Date.parse(query.get('from') ?? '');
  const to = Date.parse(query.get('to') ?? '');
  if (Number.isFinite(from) && Number.isFinite(to) && from < to) return { from, to };
  const preset = query.get('range') ?? '';
  return { preset: isPresetName(preset) ? preset : DEFAULT_PRESET };
}

function parseSort(text: string | null): Sort {
  if (text === null) return DEFAULT_SORT;
  const descending = text.startsWith('-');
  const name = descending ? text.slice(1) : text;
  const column = COLUMN_IDS.find((id) => id === name);
  return column === undefined ? DEFAULT_SORT : { column, descending };
}
