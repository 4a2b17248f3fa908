import { expect } from 'vitest';
import type { TableDocument, TableRow, ViewDocument } from '../../../shared/views/table-document.ts';

/** A computed number rounds to the printed text: `160.5` allows half of its last digit. */
export function expectPrinted(value: unknown, printed: string, what: string): void {
  const digits = printed.split('.')[1]?.length ?? 0;
  expect(typeof value === 'number' ? value.toFixed(digits) : value, what).toBe(printed);
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
