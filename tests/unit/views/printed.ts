import { expect } from 'vitest';
import type { TableDocument, TableRow, ViewDocument } from '../../../collector/analysis/tables/table-document.ts';

/** Within half of the last printed digit: `160.5` stands for anything from 160.45 to 160.55. */
export function expectPrinted(value: unknown, printed: string, what: string): void {
  const digits = printed.split('.')[1]?.length ?? 0;
  const distance = typeof value === 'number' ? Math.abs(value - Number(printed)) : Number.NaN;
  expect(distance, `${what}: ${value}, printed ${printed}`).toBeLessThanOrEqual(0.5 * 10 ** -digits + 1e-9);
}

export function tableOf(view: ViewDocument, title: string): TableDocument {
  const table = view.tables.find((candidate) => candidate.title === title);
  if (!table) throw new Error(`There is no table ${title}.`);
  return table;
}

export function rowOf(table: TableDocument, where: TableRow): TableRow {
  const row = table.rows.find((candidate) => Object.entries(where).every(([name, value]) => candidate[name] === value));
  if (!row) throw new Error(`There is no row ${JSON.stringify(where)} in ${table.title}.`);
  return row;
}
