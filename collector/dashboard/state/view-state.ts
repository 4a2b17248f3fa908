import { canonicalHost } from '../../../shared/redact/host-name.ts';
import {
  ASKED_DIMENSIONS,
  type AskedDimension,
  type Filters,
  toExclusionName,
} from '../../../shared/vocabulary/dimensions.ts';
import { COLUMN_IDS, type ColumnId } from './column-ids.ts';
import { DEFAULT_PRESET, isPresetName, type RangeChoice } from './time-range.ts';

/** Everything that determines what the page shows. It is stored in the URL, so that views can be shared as links. */
export interface ViewState {
  readonly range: RangeChoice;
  readonly filters: Filters;
  /** The name of an entry of VIEWS in app/views.ts; an unknown name shows the first view. */
  readonly view: string;
  /** The view's own parameters: all names that are not common to all views. Dropped when another view is opened. */
  readonly own: Readonly<Record<string, string>>;
  /** Order of the hosts × types table. */
  readonly sort: Sort;
  /** Order of every other table, by its name: `sort.pages=-hits`. */
  readonly sorts: Readonly<Record<string, TableSort>>;
}

export interface TableSort {
  readonly column: string;
  readonly descending: boolean;
}

export interface Sort extends TableSort {
  readonly column: ColumnId;
}

export const FIRST_VIEW = 'overview';
const HOST_VIEW = 'host';

const SORT_PREFIX = 'sort.';
/** Parameters of filters: each dimension, then each exclusion. */
export const FILTER_NAMES = [...ASKED_DIMENSIONS, ...ASKED_DIMENSIONS.map(toExclusionName)] as const;
export type FilterName = (typeof FILTER_NAMES)[number];

/** `lang` is the collector's: it chooses the page's language. */
const COMMON: readonly string[] = ['view', 'range', 'from', 'to', 'sort', 'lang', ...FILTER_NAMES];

const DEFAULT_SORT: Sort = { column: 'waited', descending: true };

/** Parses a query string; unknown values fall back to the default, so that an old link still opens. */
export function parseViewState(search: string): ViewState {
  const query = new URLSearchParams(search);
  const filters: Partial<Record<FilterName, readonly string[]>> = {};
  for (const name of FILTER_NAMES) {
    const given = query.getAll(name).filter((value) => value !== '');
    const isHost = name === 'host' || name === toExclusionName('host');
    const values = [...new Set(isHost ? given.map(asHost) : given)];
    if (values.length > 0) filters[name] = values;
  }
  return {
    range: parseRange(query),
    filters,
    view: parseView(query),
    own: parseOwn(query),
    sort: parseSort(query.get('sort')),
    sorts: parseSorts(query),
  };
}

/** The query string of a state, `''` for the default one; `parseViewState` reads it back unchanged. */
export function formatViewState(state: ViewState): string {
  const query = new URLSearchParams();
  // `?page=` implies the host view.
  if (state.view !== FIRST_VIEW && state.view !== HOST_VIEW) query.set('view', state.view);
  for (const [name, value] of Object.entries(state.own)) {
    if (value !== '' && !isCommon(name)) query.set(name, value);
  }
  if (!('preset' in state.range)) {
    query.set('from', new Date(state.range.from).toISOString());
    query.set('to', new Date(state.range.to).toISOString());
  } else if (state.range.preset !== DEFAULT_PRESET) {
    query.set('range', state.range.preset);
  }
  for (const name of FILTER_NAMES) {
    for (const value of state.filters[name] ?? []) query.append(name, value);
  }
  const { column, descending } = state.sort;
  if (column !== DEFAULT_SORT.column || descending !== DEFAULT_SORT.descending) {
    query.set('sort', `${descending ? '-' : ''}${column}`);
  }
  for (const [table, sort] of Object.entries(state.sorts)) {
    query.set(SORT_PREFIX + table, `${sort.descending ? '-' : ''}${sort.column}`);
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

/** The same state with one dimension's values replaced; an empty list removes the filter. */
export function withFilter(state: ViewState, dimension: AskedDimension, values: readonly string[]): ViewState {
  return withValues(state, dimension, values);
}

/** The same for the values that are excluded. */
export function withExclusion(state: ViewState, dimension: AskedDimension, values: readonly string[]): ViewState {
  return withValues(state, toExclusionName(dimension), values);
}

/** The same with one value included, excluded or neither. */
export function withChoice(
  state: ViewState,
  dimension: AskedDimension,
  value: string,
  choice: 'included' | 'excluded' | null,
): ViewState {
  const others = (name: FilterName) => (state.filters[name] ?? []).filter((other) => other !== value);
  const [included, excluded] = [others(dimension), others(toExclusionName(dimension))];
  return withExclusion(
    withFilter(state, dimension, choice === 'included' ? [...included, value] : included),
    dimension,
    choice === 'excluded' ? [...excluded, value] : excluded,
  );
}

function withValues(state: ViewState, name: FilterName, values: readonly string[]): ViewState {
  const { [name]: _replaced, ...others } = state.filters;
  return { ...state, filters: values.length === 0 ? others : { ...others, [name]: values } };
}

/** Filters without those by one dimension, exclusions included. */
export function withoutDimension(filters: Filters, dimension: AskedDimension): Filters {
  const { [dimension]: _included, [toExclusionName(dimension)]: _excluded, ...others } = filters;
  return others;
}

/** Another view with the same range and filters, without the old view's own parameters. */
export function toView(state: ViewState, view: string, own: ViewState['own'] = {}): ViewState {
  return { ...state, view, own, sorts: {} };
}

/** The same view with some of its own parameters changed; `''` removes one. */
export function withOwn(state: ViewState, changes: ViewState['own']): ViewState {
  const own = Object.entries({ ...state.own, ...changes }).filter(([, value]) => value !== '');
  return { ...state, own: Object.fromEntries(own) };
}

function parseView(query: URLSearchParams): string {
  if (query.get('page')) return HOST_VIEW;
  const named = query.get('view') || FIRST_VIEW;
  // The host view needs a host.
  return named === HOST_VIEW ? FIRST_VIEW : named;
}

function parseOwn(query: URLSearchParams): ViewState['own'] {
  const own = [...query].filter(([name, value]) => value !== '' && !isCommon(name));
  return Object.fromEntries(own.map(([name, value]) => [name, name === 'page' ? asHost(value) : value]));
}

/** A link may spell it in Unicode. */
function asHost(text: string): string {
  return canonicalHost(text) ?? text;
}

/** Parameters that have the same meaning in every view. */
function isCommon(name: string): boolean {
  return COMMON.includes(name) || name.startsWith(SORT_PREFIX);
}

function parseSorts(query: URLSearchParams): ViewState['sorts'] {
  const sorts = [...query].filter(([name, value]) => name.startsWith(SORT_PREFIX) && value !== '');
  return Object.fromEntries(sorts.map(([name, value]) => [name.slice(SORT_PREFIX.length), splitSort(value)]));
}

function splitSort(text: string): TableSort {
  const descending = text.startsWith('-');
  return { column: descending ? text.slice(1) : text, descending };
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
  const { column: name, descending } = splitSort(text);
  const column = COLUMN_IDS.find((id) => id === name);
  return column === undefined ? DEFAULT_SORT : { column, descending };
}
