import type { TableColumn, TableDocument, TableRow } from '../../analysis/tables/table-document.ts';
import { formatUnit, UNIT_LABELS } from '../../analysis/text/format.ts';
import { sortTable } from '../model/sort-table.ts';
import type { TableSort } from '../state/view-state.ts';
import { button, type Child, element, spoken } from './element.ts';
import { hintSides } from './hint-sides.ts';
import { tableTools } from './table-tools.ts';

export interface DataTable {
  /** File name of the CSV, and key of the order in the URL: keep it stable. */
  readonly name: string;
  readonly table: TableDocument;
  /** Null keeps the order of the rows. */
  readonly sort?: TableSort | null;
  /** Without it the headings are not buttons. */
  sortBy?(sort: TableSort): void;
  /** Replaces a cell's text on the page; copying and CSV use the text. */
  cell?(column: TableColumn, row: TableRow): Child | undefined;
  /** Distinguishes tables with the same title. */
  readonly label?: string;
  /** Heading level, 2 by default. */
  readonly level?: 2 | 3;
  /** Without a panel of its own, inside another one. */
  readonly bare?: boolean;
}

/** Texts up to this length are not wrapped. */
const ONE_LINE = 24;

/** A table of numbers with heading, sorting, copy, CSV and notes. It scrolls in its own box. */
export function dataTable(options: DataTable): HTMLElement {
  const { name, table, level = 2, bare = false } = options;
  const rows = sortTable(table, options.sort ?? null);
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
  // Times, versions and short names stay on one line; a table that is too wide scrolls.
  const type = column.unit !== 'text' ? 'number' : text.length <= ONE_LINE ? 'text line' : 'text';
  return first ? element('th', { scope: 'row', class: type }, ...shown) : element('td', { class: type }, ...shown);
}
