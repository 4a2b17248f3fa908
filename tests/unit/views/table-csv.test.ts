import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { spreadsheetText, tableCsv, tableTsv } from '../../../collector/analysis/tables/csv.ts';
import { column, type TableDocument } from '../../../collector/analysis/tables/table-document.ts';

function table(...cells: readonly (string | number | null)[]): TableDocument {
  return {
    title: 'Test',
    columns: cells.map((_, index) => column(`c${index}`, `Column ${index}`, 'text')),
    rows: [Object.fromEntries(cells.map((cell, index) => [`c${index}`, cell]))],
    notes: [],
  };
}

const lastLine = (csv: string) => csv.split('\r\n').at(-2);

describe('a table as CSV', () => {
  it('opens right in Excel: byte order mark, CRLF, units in the head, unknown empty, numbers bare', () => {
    const times: TableDocument = {
      title: 'Times',
      columns: [column('host', 'Host', 'text'), column('wait', 'Wait, median', 'ms')],
      rows: [
        { host: 'erp.example.com', wait: -0.25 },
        { host: 'Zürich', wait: null },
      ],
      notes: [],
    };
    expect(tableCsv(times)).toBe('\uFEFFHost,"Wait, median (ms)"\r\nerp.example.com,-0.25\r\nZürich,\r\n');
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', ' =1', '\r=1', '\uFF1D1'])('computes nothing from %j', (text) => {
    expect(lastLine(tableCsv(table(text)))?.replace(/^"/, '')).toMatch(/^'/);
    expect(tableTsv(table(text)).split('\n')[1]).toMatch(/^'/);
  });

  it('keeps what would break a line in its cell', () => {
    expect(lastLine(tableCsv(table('say "hi", you', 'a;b')))).toBe('"say ""hi"", you","a;b"');
    expect(tableTsv(table('a\tb\nc', 'd')).split('\n')[1]).toBe('a b c\td');
  });

  it('reads back as it was, whatever a browser sent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const [, cell = ''] = /^(?:\uFEFF)?Column 0\r\n([\s\S]*)\r\n$/.exec(tableCsv(table(text))) ?? [];
        const read = cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell;
        expect(read).toBe(spreadsheetText(text));
      }),
    );
  });
});
