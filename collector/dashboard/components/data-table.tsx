import type { ComponentChildren } from 'preact';
import type { TableColumn, TableDocument, TableRow } from '../../analysis/tables/table-document.ts';
import { usePage } from '../app/page-context.ts';
import { sortTable } from '../model/sort-table.ts';
import type { TableSort } from '../state/view-state.ts';
import { formatUnit, UNIT_LABELS } from '../text/format.ts';
import { t } from '../text/t.ts';
import { ScrollBox } from './scroll-box.tsx';
import { Spoken } from './spoken.tsx';
import { TableTools } from './table-tools.tsx';

interface DataTableProps {
  /** Key of the order in the URL: keep it stable. */
  readonly name: string;
  readonly table: TableDocument;
  /** The headings are buttons, and the order is in the URL. */
  readonly sortable?: boolean;
  /** Replaces a cell's text on the page; copying and CSV use the text. */
  readonly cell?: (column: TableColumn, row: TableRow) => ComponentChildren;
  /** Distinguishes tables with the same title. */
  readonly label?: string;
  /** Heading level, 2 by default. */
  readonly level?: 2 | 3;
  /** Without a panel of its own, inside another one. */
  readonly bare?: boolean;
}

/** Texts up to this length are not wrapped. */
const ONE_LINE = 24;
/** Nor is one word up to this length, such as a browser’s id. */
const ONE_WORD = 36;
/** A table of so few columns is not stretched: the eye would lose the row. */
const FEW_COLUMNS = 6;

/** A table of numbers with heading, sorting, copy, CSV and notes. It scrolls in its own box. */
export function DataTable({ name, table, sortable, cell, label, level = 2, bare = false }: DataTableProps) {
  const { state, navigate } = usePage();
  const { title, columns, notes } = table;
  const sort = sortable === true ? (state.sorts[name] ?? null) : null;
  const rows = sortTable(table, sort);
  const sortBy =
    sortable === true
      ? (next: TableSort) => navigate({ ...state, sorts: { ...state.sorts, [name]: next } })
      : undefined;
  return (
    <section class={bare ? 'data bare' : 'panel data'} data-table={name}>
      <div class="panel-head">
        {level === 2 ? <h2>{title}</h2> : <h3>{title}</h3>}
        <TableTools name={label ?? title} table={() => ({ ...table, rows })} />
      </div>
      {rows.length === 0 ? (
        <p class="quiet table-empty">{notes.length === 0 ? t.components.noRows : notes.join(' ')}</p>
      ) : (
        <ScrollBox class="table-box" tabindex={0} role="region" aria-label={label ?? title}>
          <table class={columns.length > FEW_COLUMNS ? 'numbers' : 'numbers few'}>
            <caption class="spoken">{title}</caption>
            <thead>
              <tr>
                {columns.map((column) => (
                  <HeadCell key={column.name} column={column} sort={sort} sortBy={sortBy} />
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row, index) => (
                <tr key={index}>
                  {columns.map((column, place) => (
                    <BodyCell key={column.name} column={column} row={row} first={place === 0}>
                      {cell?.(column, row)}
                    </BodyCell>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollBox>
      )}
      {rows.length === 0 || notes.length === 0 ? null : (
        <details class="as-table notes-box">
          <summary>{t.components.notes}</summary>
          <ul class="notes">
            {notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

function isLine(text: string): boolean {
  return text.length <= (text.includes(' ') ? ONE_LINE : ONE_WORD);
}

interface HeadCellProps {
  readonly column: TableColumn;
  readonly sort: TableSort | null;
  readonly sortBy: ((sort: TableSort) => void) | undefined;
}

function HeadCell({ column, sort, sortBy }: HeadCellProps) {
  const numeric = column.unit !== 'text';
  const sorted = sort?.column === column.name ? (sort.descending ? 'descending' : 'ascending') : null;
  const unit = UNIT_LABELS[column.unit];
  const words = (
    <>
      {column.label}
      {unit === '' ? null : <span class="unit"> {unit}</span>}
    </>
  );
  const order = sorted === null ? {} : ({ 'aria-sort': sorted } as const);
  return (
    <th scope="col" class={numeric ? 'number' : 'text'} {...order}>
      {sortBy === undefined ? (
        words
      ) : (
        <button
          type="button"
          class="sort"
          onClick={() =>
            sortBy({ column: column.name, descending: sorted === null ? numeric : sorted === 'ascending' })
          }
        >
          {words}
          <span class="arrow" aria-hidden="true">
            {sorted === null ? '' : sorted === 'descending' ? '↓' : '↑'}
          </span>
        </button>
      )}
    </th>
  );
}

interface BodyCellProps {
  readonly column: TableColumn;
  readonly row: TableRow;
  readonly first: boolean;
  readonly children: ComponentChildren;
}

function BodyCell({ column, row, first, children }: BodyCellProps) {
  const value = row[column.name] ?? null;
  const text = formatUnit(value, column.unit);
  const shown =
    children !== undefined ? (
      children
    ) : value === null ? (
      <>
        <span class="unknown" aria-hidden="true">
          {text}
        </span>
        <Spoken>{t.components.unknown}</Spoken>
      </>
    ) : (
      text
    );
  // Times, versions and short names stay on one line; a table that is too wide scrolls.
  const type = column.unit !== 'text' ? 'number' : isLine(text) ? 'text line' : 'text';
  return first ? (
    <th scope="row" class={type}>
      {shown}
    </th>
  ) : (
    <td class={type}>{shown}</td>
  );
}
