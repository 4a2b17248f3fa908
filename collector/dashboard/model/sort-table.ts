import type { TableDocument, TableRow } from '../../analysis/tables/table-document.ts';
import type { TableSort } from '../state/view-state.ts';

/** The rows in the order of a column. Unknown values come last in both directions. */
export function sortTable({ columns, rows }: TableDocument, sort: TableSort | null): readonly TableRow[] {
  if (sort === null || !columns.some(({ name }) => name === sort.column)) return rows;
  const sign = sort.descending ? -1 : 1;
  return [...rows].sort((one, other) => {
    const a = one[sort.column] ?? null;
    const b = other[sort.column] ?? null;
    if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
    return sign * (a < b ? -1 : a > b ? 1 : 0);
  });
}
