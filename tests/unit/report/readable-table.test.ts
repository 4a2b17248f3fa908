import { expect, test } from 'vitest';
import { column } from '../../../collector/analysis/tables/table-document.ts';
import { readableTable } from '../../../collector/reports/readable-table.ts';

const TABLE = {
  title: 'Totals',
  columns: [column('name', 'Group', 'text'), column('group:1', 'https-new, probes', 'ms')],
  rows: [{ name: 'https-new, probes' }, { name: 'https-new' }],
  notes: [],
};

test('a group of probes is named in the reader’s language, in rows and above columns; a scenario keeps its name', () => {
  const german = readableTable(TABLE, 'de');
  expect(german.rows).toEqual([{ name: 'https-new, Proben' }, { name: 'https-new' }]);
  expect(german.columns[1]?.label).toBe('https-new, Proben');
  expect(readableTable(TABLE, 'en')).toEqual(TABLE);
});
