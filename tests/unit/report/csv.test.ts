import { expect, test } from 'vitest';
import { column } from '../../../collector/analysis/tables/table-document.ts';
import { csvField } from '../../../collector/reports/render/csv-field.ts';
import { renderCsv } from '../../../collector/reports/render/render-csv.ts';
import { reportOf } from './report-of.ts';

const COMMA = { separator: ',', decimal: '.' } as const;

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1+1', ' =1+1', '\r=1', '＝1+1', '=cmd|"/c calc"!A1'])(
  'a name such as %j is no formula',
  (name) => {
    expect(csvField(name, COMMA).replace(/^"/, '')).toMatch(/^'/);
  },
);

test('numbers stay numbers, unknown is empty, and what separates is quoted', () => {
  expect([-1.5, 0, 1 / 3, null].map((value) => csvField(value, COMMA))).toEqual(['-1.5', '0', '0.333333', '']);
  expect(csvField('a,b', COMMA)).toBe('"a,b"');
  expect(csvField('say "x"', COMMA)).toBe('"say ""x"""');
  expect(csvField('two\r\nlines', COMMA)).toBe('two lines');
  expect(csvField(1234.5, { separator: ';', decimal: ',' })).toBe('1234,5');
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
