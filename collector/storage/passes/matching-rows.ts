import type { SampleColumns } from '../../../shared/sample/sample-columns.ts';
import { dimensionTests, type SampleQuery } from '../../../shared/vocabulary/dimensions.ts';
import { mergeColumns, type RowSelection } from '../columns/merge-columns.ts';
import { dimensionColumn } from './dimension-column.ts';

/** The rows that match a query; null if there are none. */
export function matchingRows(columns: SampleColumns, { range, filters }: SampleQuery): RowSelection | null {
  const at = columns.at();
  const tests = dimensionTests(filters).map(({ dimension, passes }) => {
    const { codes, strings } = dimensionColumn(columns, dimension);
    return { codes, pass: strings.map(passes), passesNull: passes(null) };
  });
  const rows: number[] = [];
  for (let row = 0; row < columns.n; row++) {
    const time = at[row] as number;
    if (time < range.from || time >= range.to) continue;
    if (tests.every(({ codes, pass, passesNull }) => pass[codes[row] as number] ?? passesNull)) rows.push(row);
  }
  return chosen(columns, rows, columns.n);
}

/** A complete part in order, as most are, is returned unchanged. */
export function inOrder(parts: readonly RowSelection[]): SampleColumns {
  const [{ columns, rows }, ...others] = parts as [RowSelection, ...RowSelection[]];
  const at = columns.at();
  const asItIs =
    others.length === 0 && rows === null && at.every((time, row) => row === 0 || time >= (at[row - 1] ?? 0));
  return asItIs ? columns : mergeColumns(parts);
}

/** null if there are none. */
export function chosen(columns: SampleColumns, rows: readonly number[], n: number): RowSelection | null {
  if (rows.length === 0) return null;
  return { columns, rows: rows.length === n ? null : Int32Array.from(rows) };
}
