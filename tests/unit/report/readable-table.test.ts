import { expect, test } from 'vitest';
import { column } from '../../../collector/analysis/tables/table-document.ts';
import { ENGLISH_REPORT } from '../../../collector/reports/language/english.ts';
import { GERMAN_REPORT } from '../../../collector/reports/language/german.ts';
import { readableTable } from '../../../collector/reports/write/view-report.ts';

const AT = Date.UTC(2026, 1, 3, 4, 5);

test('moments and codes are written for readers; a name from a page stays as it is', () => {
  const table = {
    title: 'Trend',
    columns: [
      column('template', 'Step', 'text'),
      column('from', 'From, epoch milliseconds', 'number'),
      column('source', 'Source', 'text'),
      column('keepMeasuring', 'Keep measuring', 'text'),
    ],
    rows: [{ template: 'probe', from: AT, source: 'probe', keepMeasuring: 'few_samples, wide_interval' }],
    notes: [],
  };
  const read = (texts: typeof ENGLISH_REPORT) => {
    const { columns, rows } = readableTable(table, texts);
    return [columns[1]?.label, ...Object.values(rows[0] ?? {})];
  };
  const time = '2026-02-03 04:05Z';
  expect(read(ENGLISH_REPORT)).toEqual(['From', 'probe', time, 'probe', 'few samples, wide interval']);
  expect(read(GERMAN_REPORT)).toEqual(['Von', 'probe', time, 'Testabruf', 'wenige Messungen, breites Intervall']);
});
