import { expect, test } from 'vitest';
import { csvLine } from '../../../collector/analysis/tables/csv.ts';
import { column } from '../../../collector/analysis/tables/table-document.ts';
import { renderCsv } from '../../../collector/reports/render/render-csv.ts';
import { reportOf } from './report-of.ts';

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1+1', ' =1+1', '\r=1', '＝1+1', '=cmd|"/c calc"!A1'])(
  'a name such as %j is no formula',
  (name) => {
    expect(csvLine([name]).replace(/^"/, '')).toMatch(/^'/);
  },
);

test('numbers stay numbers, unknown is empty, and what separates is quoted', () => {
  expect(csvLine([-1.5, 0, 1 / 3, null])).toBe('-1.5,0,0.3333333333333333,');
  expect(csvLine(['a,b', 'say "x"'])).toBe('"a,b","say ""x"""');
  expect(csvLine([1234.5, 'a;b'], { separator: ';', decimal: ',' })).toBe('1234,5;"a;b"');
  const columns = [column('a', 'A', 'ms'), column('b', 'B', 'text')];
  const text = renderCsv(reportOf([{ title: 'T', columns, rows: [{ a: 1 / 3, b: 'two\r\nlines' }], notes: [] }]));
  expect(text).toContain('\r\n0.333333,two lines\r\n');
});

test('every line has as many fields, in a file that Excel takes for UTF-8', () => {
  const wide = {
    title: 'Wide',
    columns: [column('a', 'A', 'text'), column('b', 'B', 'ms')],
    rows: [{ a: 'ä', b: 1.5 }],
    notes: [],
  };
  const narrow = { title: 'Narrow', columns: [column('a', 'A', 'text')], rows: [{ a: 'x' }], notes: ['a note'] };
  const text = renderCsv(reportOf([wide, narrow]));
  expect(text.startsWith('\ufeff')).toBe(true);
  const lines = text.slice(1).trimEnd().split('\r\n');
  expect(lines).toEqual(['Title,', '"1 to 2, UTC",', ',', 'Wide,', 'A,B (ms)', 'ä,1.5', ',', 'Narrow,', 'A,', 'x,']);
  expect(renderCsv({ ...reportOf([wide]), language: 'de' })).toContain('ä;1,5\r\n');
});
