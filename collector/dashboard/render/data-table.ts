import type { TableColumn, TableDocument, TableRow } from '../../analysis/tables/table-document.ts';
import { formatUnit, UNIT_LABELS } from '../../analysis/text/format.ts';
import type { TableSort } from '../state/view-state.ts';
import { button, type Child, element, spoken } from './element.ts';
import { hintSides } from './hint-sides.ts';
import { tableTools } from './table-tools.ts';

export interface DataTable {
  /** Stable: the file's name, and the key of its order in the URL. */
  readonly name: string;
  readonly table: TableDocument;
  /** null keeps the rows as they came. */
  readonly sort?: TableSort | null;
  /** Without it the headings are no buttons. */
  sortBy?(sort: TableSort): void;
  /** Something richer in place of the text of a cell; the text is what is copied and downloaded. */
  cell?(column: TableColumn, row: TableRow): Child | undefined;
  /** Names the table where several have one title. */
  readonly label?: string;
  /** Level of the heading, 2 unless given. */
  readonly level?: 2 | 3;
  /** Keeps the table out of a box of its own: it stands in one already. */
  readonly bare?: boolean;
}

/** Texts up to this length are not broken. */
const ONE_LINE = 24;

/** A table of numbers with its heading, order by click, copy and CSV, and its notes. It scrolls in its own box. */
export function dataTable(options: DataTable): HTMLElement {
  const { name, table, level = 2, bare = false } = options;
  const rows = sortedRows(table, options.sort ?? null);
  const numeric = table.columns.map(({ unit }) => unit !== 'text');
  const body = rows.map((row) =>
    element('tr', {}, ...table.columns.map((column, index) => bodyCell(options, column, row, index === 0))),
  );
  return element(
    'section',
    { class: bare ? 'data bare' : 'panel data', 'data-table': name },
    element(
      'div',
      { class: 'panel-head' },
      element(level === 2 ? 'h2' : 'h3', {}, table.title),
      tableTools(name, () => ({ ...table, rows })),
    ),
    hintSides(
      element(
        'div',
        {
          class: 'table-box',
          tabindex: 0,
          role: 'region',
          'aria-label': options.label ?? table.title,
          'data-scroll': name,
          'data-focus': `table ${name}`,
        },
        element(
          'table',
          { class: 'numbers' },
          element('caption', { class: 'spoken' }, table.title),
          element(
            'thead',
            {},
            element(
              'tr',
              {},
              ...table.columns.map((column, index) => headCell(options, column, numeric[index] === true)),
            ),
          ),
          element('tbody', {}, ...body),
        ),
      ),
    ),
    rows.length === 0 ? element('p', { class: 'quiet table-empty' }, 'No rows.') : null,
    table.notes.length === 0
      ? null
      : element('ul', { class: 'notes' }, ...table.notes.map((note) => element('li', {}, note))),
  );
}

/** Unknown values come last in both directions: they are neither small nor large. */
export function sortedRows({ columns, rows }: TableDocument, sort: TableSort | null): readonly TableRow[] {
  if (sort === null || !columns.some(({ name }) => name === sort.column)) return rows;
  const sign = sort.descending ? -1 : 1;
  return [...rows].sort((one, other) => {
    const a = one[sort.column] ?? null;
    const b = other[sort.column] ?? null;
    if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
    return sign * (a < b ? -1 : a > b ? 1 : 0);
  });
}

function headCell({ name, sort = null, sortBy }: DataTable, column: TableColumn, numeric: boolean): HTMLElement {
  const sorted = sort?.column === column.name ? (sort.descending ? 'descending' : 'ascending') : null;
  const unit = UNIT_LABELS[column.unit];
  const words: Child[] = [column.label, unit === '' ? null : element('span', { class: 'unit' }, ` ${unit}`)];
  const arrow = element('span', { class: 'arrow', 'aria-hidden': 'true' }, sortArrow(sorted));
  return element(
    'th',
    { scope: 'col', class: numeric ? 'number' : 'text', 'aria-sort': sorted },
    ...(sortBy === undefined
      ? words
      : [
          button(
            { class: 'sort', 'data-focus': `sort ${name} ${column.name}` },
            () => sortBy({ column: column.name, descending: sorted === null ? numeric : sorted === 'ascending' }),
            ...words,
            arrow,
          ),
        ]),
  );
}

function sortArrow(sorted: 'descending' | 'ascending' | null): string {
  return sorted === null ? '' : sorted === 'descending' ? '↓' : '↑';
}

function bodyCell({ cell }: DataTable, column: TableColumn, row: TableRow, first: boolean): HTMLElement {
  const value = row[column.name] ?? null;
  const rich = cell?.(column, row);
  const text = formatUnit(value, column.unit);
  const shown: readonly Child[] =
    rich !== undefined
      ? [rich]
      : value === null
        ? [element('span', { class: 'unknown', 'aria-hidden': 'true' }, text), spoken('unknown')]
        : [text];
  // Moments, versions and short names stay in one line; a table that is too wide scrolls.
  const type = column.unit !== 'text' ? 'number' : text.length <= ONE_LINE ? 'text line' : 'text';
  return first ? element('th', { scope: 'row', class: type }, ...shown) : element('td', { class: type }, ...shown);
}
