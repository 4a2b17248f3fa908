import type { AskedDimension } from '../../../shared/vocabulary/dimensions.ts';
import { DIMENSION_LABELS } from '../../analysis/text/words.ts';
import { COLUMN_GROUPS } from '../overview/table-columns.ts';
import { button, element, spoken } from '../render/element.ts';
import { hintSides } from '../render/hint-sides.ts';
import type { ControlName } from '../render/view.ts';
import { COLUMN_IDS, type ColumnId } from '../state/column-ids.ts';
import { describeRange, formatMoment, PRESETS, type RangeChoice, resolveRange } from '../state/time-range.ts';
import type { ViewState } from '../state/view-state.ts';

/** Dimensions offered as filters. Handshake is left to the API: browsers rarely report it. */
const FILTERS: readonly AskedDimension[] = [
  'host',
  'type',
  'connection',
  'protocol',
  'scheme',
  'scenario',
  'source',
  'site',
  'target',
  'browser',
];

export interface ControlActions {
  chooseRange(range: RangeChoice): void;
  openFilter(dimension: AskedDimension, anchor: HTMLElement): void;
  clearFilters(): void;
  sortBy(column: ColumnId, descending?: boolean): void;
  now(): number;
}

/** The controls that the view asks for. The sort control is shown where rows are cards and have no column headings. */
export function controls(
  state: ViewState,
  names: readonly ControlName[],
  actions: ControlActions,
): readonly HTMLElement[] {
  if (names.length === 0) return [];
  const made: Readonly<Record<ControlName, () => HTMLElement>> = {
    range: () => rangeControl(state.range, actions),
    filters: () => filterControl(state, actions),
    sort: () => sortControl(state, actions),
  };
  return [element('div', { class: 'controls' }, ...names.map((name) => made[name]()))];
}

function rangeControl(range: RangeChoice, actions: ControlActions): HTMLElement {
  const presets = PRESETS.map(({ name, label }) =>
    button(
      {
        class: 'segment',
        'aria-pressed': String('preset' in range && range.preset === name),
        'data-focus': `range ${name}`,
      },
      () => actions.chooseRange({ preset: name }),
      label,
    ),
  );
  return element(
    'div',
    { class: 'range' },
    element(
      'div',
      { class: 'segments', role: 'group', 'aria-label': 'Time range' },
      ...presets,
      customRange(range, actions),
    ),
  );
}

function customRange(range: RangeChoice, actions: ControlActions): HTMLElement {
  const fixed = !('preset' in range);
  const { from, to } = resolveRange(range, actions.now());
  const field = (id: string, label: string, at: number) => {
    const input = element('input', { id, type: 'datetime-local', required: true });
    input.value = formatMoment(at).replace(' ', 'T');
    return [element('label', { for: id }, label), input] as const;
  };
  const [fromLabel, fromField] = field('range-from', 'From', from);
  const [toLabel, toField] = field('range-to', 'To (exclusive)', to);
  const problem = element('p', { class: 'problem', role: 'alert' });
  const form = element(
    'form',
    { class: 'custom-form' },
    fromLabel,
    fromField,
    toLabel,
    toField,
    problem,
    element('button', { type: 'submit', class: 'primary' }, 'Show'),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const chosen = { from: Date.parse(fromField.value), to: Date.parse(toField.value) };
    if (chosen.from < chosen.to) actions.chooseRange(chosen);
    else problem.textContent = 'The end must be after the start.';
  });
  const made = element(
    'details',
    { class: 'custom' },
    element(
      'summary',
      { class: `segment${fixed ? ' pressed' : ''}`, 'data-focus': 'range custom' },
      fixed ? describeRange(range) : 'Custom',
    ),
    form,
  );
  made.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !made.open) return;
    made.open = false;
    made.querySelector('summary')?.focus();
  });
  return made;
}

function filterControl(state: ViewState, actions: ControlActions): HTMLElement {
  const buttons = FILTERS.filter((dimension) => !(dimension === 'host' && state.view === 'host')).map((dimension) => {
    const values = state.filters[dimension] ?? [];
    const made: HTMLButtonElement = button(
      {
        class: `filter${values.length > 0 ? ' active' : ''}`,
        'aria-haspopup': 'dialog',
        'data-focus': `filter ${dimension}`,
        'data-filter': dimension,
      },
      () => actions.openFilter(dimension, made),
      DIMENSION_LABELS[dimension],
      values.length === 0 ? null : element('span', { class: 'filter-values' }, shorten(values)),
      element('span', { class: 'caret', 'aria-hidden': 'true' }),
    );
    return made;
  });
  const active = Object.keys(state.filters).length > 0;
  return hintSides(
    element(
      'div',
      { class: 'filters', role: 'group', 'aria-label': 'Filters', 'data-scroll': 'filters' },
      ...buttons,
      active ? button({ class: 'plain', 'data-focus': 'clear' }, actions.clearFilters, 'Clear filters') : null,
    ),
  );
}

function sortControl({ sort }: ViewState, actions: ControlActions): HTMLElement {
  const select = element('select', { id: 'sort', 'data-focus': 'sort select' });
  for (const group of COLUMN_GROUPS) {
    for (const { id, label } of group.columns) {
      const words = group.columns.length === 1 ? group.label : `${group.label} ${group.basis ?? ''}, ${label}`;
      select.append(element('option', { value: id, selected: id === sort.column }, words));
    }
  }
  select.addEventListener('change', () => {
    const column = COLUMN_IDS.find((id) => id === select.value);
    if (column !== undefined) actions.sortBy(column, sort.descending);
  });
  return element(
    'div',
    { class: 'sort-control' },
    element('label', { for: 'sort' }, 'Sort by'),
    select,
    button(
      { 'data-focus': 'sort direction' },
      () => actions.sortBy(sort.column, !sort.descending),
      element('span', { 'aria-hidden': 'true' }, sort.descending ? '↓' : '↑'),
      spoken(sort.descending ? 'Descending; reverse' : 'Ascending; reverse'),
    ),
  );
}

function shorten(values: readonly string[]): string {
  const [first = ''] = values;
  return values.length === 1 ? first : `${first} +${values.length - 1}`;
}
