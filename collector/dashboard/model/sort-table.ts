import type { TableDocument, TableRow } from '../../analysis/tables/table-document.ts';
import type { TableSort } from '../state/view-state.ts';
import { formatMoment } from '../text/moment.ts';

/** A column of moments: shown in words, ordered by time. */
export function momentCell(column: string, at: number): TableRow {
  return { [column]: formatMoment(at), [orderOf(column)]: at };
}

/** In a row, the key of what a column is ordered by where that is not its text, such as a moment. */
function orderOf(column: string): string {
  return `${column}:order`;
}

/** The rows in the order of a column. Unknown values come last in both directions. */
export function sortTable({ columns, rows }: TableDocument, sort: TableSort | null): readonly TableRow[] {
  if (sort === null || !columns.some(({ name }) => name === sort.column)) return rows;
  const order = orderOf(sort.column);
  const sign = sort.descending ? -1 : 1;
  return [...rows].sort((one, other) => {
    const a = one[order] ?? one[sort.column] ?? null;
    const b = other[order] ?? other[sort.column] ?? null;
    if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
    return sign * (a < b ? -1 : a > b ? 1 : 0);
  });
}
