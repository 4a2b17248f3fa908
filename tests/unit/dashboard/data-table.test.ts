import { describe, expect, it } from 'vitest';
import { column, type TableDocument } from '../../../collector/analysis/tables/table-document.ts';
import { fileName } from '../../../collector/dashboard/components/save.ts';
import { momentCell, sortTable } from '../../../collector/dashboard/model/sort-table.ts';
import { formatBytes, formatUnit } from '../../../collector/dashboard/text/format.ts';
import { cellText } from '../../../collector/reports/render/table-cells.ts';

const table: TableDocument = {
  title: 'Pages',
  columns: [column('page', 'Page', 'text'), column('wait', 'Wait', 'ms')],
  rows: [
    { page: 'b', wait: 20 },
    { page: 'c', wait: null },
    { page: 'a', wait: 3 },
  ],
  notes: [],
};

const pages = (sort: { column: string; descending: boolean } | null) => sortTable(table, sort).map(({ page }) => page);

describe('data table', () => {
  it('sorts by any column, with unknown values last in both directions', () => {
    expect(pages({ column: 'wait', descending: true })).toEqual(['b', 'a', 'c']);
    expect(pages({ column: 'wait', descending: false })).toEqual(['a', 'b', 'c']);
    expect(pages({ column: 'page', descending: false })).toEqual(['a', 'b', 'c']);
  });

  it('keeps its order if a link names an unknown column', () => {
    expect(pages({ column: 'nonsense', descending: true })).toEqual(['b', 'c', 'a']);
    expect(pages(null)).toEqual(['b', 'c', 'a']);
  });

  it.each([
    [0, '0 B'],
    [1023, '1,023 B'],
    [1024, '1 KB'],
    [14_541, '14.2 KB'],
    [1_048_575, '1 MB'],
    [3_250_586, '3.1 MB'],
  ])('writes %i bytes as %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });

  it('writes unknown values as a dash in every unit', () => {
    for (const unit of ['text', 'count', 'ms', 's', 'share', 'ratio', 'bytes', 'number'] as const) {
      expect(formatUnit(null, unit)).toBe('–');
    }
    expect(formatUnit(0.25, 'share')).toBe('25 %');
  });

  // The second is one request in 46 minutes, which used to be rounded to "0".
  it.each([
    [0, '0', '0'],
    [31 / 86_400, '0.00036', '0,00036'],
    [0.0123, '0.012', '0,012'],
    [0.5, '0.50', '0,50'],
    [1e-9, '<0.000001', '<0,000001'],
    [93.25, '93.25', '93,3'],
  ])('never calls a small rate none: %d per second', (rate, onScreen, inGermanReport) => {
    expect(formatUnit(rate, 'per_second')).toBe(onScreen);
    expect(cellText({ name: 'rate', label: '', unit: 'per_second' }, { rate }, 'de')).toBe(inGermanReport);
  });

  it('creates file names that are valid on every system', () => {
    expect(fileName('From median to average.svg')).toBe('From-median-to-average.svg');
    expect(fileName('../../etc/passwd\u0000<x>|"?*')).toBe('etc-passwd-x');
    expect(fileName('…')).toBe('lastbyte');
  });
});

it('orders moments by time, not by their text', () => {
  const days = [9, 10, 11].map((day) => momentCell('at', Date.UTC(2026, 2, day, 12)));
  const moments = { title: '', columns: [column('at', 'At', 'text')], rows: days, notes: [] };
  expect(sortTable(moments, { column: 'at', descending: true })).toEqual([...days].reverse());
  expect(days[0]?.at).toMatch(/9.*2026|2026.*9/);
});
