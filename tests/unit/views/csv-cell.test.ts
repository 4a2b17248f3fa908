import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvCell, csvLine, spreadsheetText, tableCsv, tableTsv } from '../../../collector/analysis/tables/csv.ts';
import { column } from '../../../collector/analysis/tables/table-document.ts';

test.each([
  ['plain', 'plain'],
  ['a,b', '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ['two\r\nlines', '"two\r\nlines"'],
  ['=HYPERLINK("http://evil")', '"\'=HYPERLINK(""http://evil"")"'],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', '"\'\t\'=1"'],
  ['＝1', "'＝1"],
  ['\u200b=1', "'\u200b=1"],
  ['a;=1', '"a;\'=1"'],
  ['a; "=1', '"a;\' ""=1"'],
  ['a,@x', '"a,\'@x"'],
  ['a\t-1', '"a\t\'-1"'],
  ['a\n+1', '"a\n\'+1"'],
  ['net::ERR_FAILED', 'net::ERR_FAILED'],
  ['/orders/{n}', '/orders/{n}'],
  ['/a;b=1,c-d', '"/a;b=1,c-d"'],
])('%j becomes the cell %j', (value, cell) => {
  expect(csvCell(value)).toBe(cell);
});

/** Fields as a reader with this separator takes them: quotes count where they begin a field. */
function fieldsOf(text: string, separator: string): string[] {
  const fields: string[] = [];
  let at = 0;
  while (at <= text.length) {
    let field = '';
    if (text[at] === '"') {
      for (at++; at < text.length; at++) {
        if (text[at] === '"' && text[at + 1] !== '"') break;
        if (text[at] === '"') at++;
        field += text[at];
      }
      at++;
    }
    while (at < text.length && text[at] !== separator && text[at] !== '\n' && text[at] !== '\r') field += text[at++];
    fields.push(field);
    at++;
  }
  return fields;
}

const hostile = fc
  .array(
    fc.constantFrom(
      '=',
      '+',
      '-',
      '@',
      '＝',
      ',',
      ';',
      '\t',
      '\r',
      '\n',
      '"',
      "'",
      ' ',
      '\u00a0',
      '\u200b',
      '\0',
      'a',
      '1',
    ),
    {
      maxLength: 12,
    },
  )
  .map((signs) => signs.join(''));
const FORMULA = /^[\s\p{Cc}\p{Cf}]*[=+\-@＋－＝＠]/u;

const WRITERS: Readonly<Record<string, (a: string, b: string) => string>> = {
  'an export': (a, b) => `${csvCell(a)},${csvCell(b)}\r\n`,
  'a report': (a, b) => csvLine([a, b]),
  'a German report': (a, b) => csvLine([a, b], { separator: ';', decimal: ',' }),
  'a download of the dashboard': (a, b) => tableCsv(tableOf(a, b)).slice(1),
  'a copy of the dashboard': (a, b) => tableTsv(tableOf(a, b)),
};

function tableOf(a: string, b: string) {
  return { title: '', columns: [column('a', 'A', 'text'), column('b', 'B', 'text')], rows: [{ a, b }], notes: [] };
}

test.each(Object.keys(WRITERS))(
  'no spreadsheet computes anything in %s, whatever it takes for the separator',
  (name) => {
    fc.assert(
      fc.property(hostile, hostile, fc.constantFrom(',', ';', '\t'), (a, b, separator) => {
        const text = WRITERS[name]?.(a, b) ?? '';
        const naive = text.split(/[,;\t\r\n]/).map((field) => field.replace(/^"+|"+$/g, ''));
        expect([...fieldsOf(text, separator), ...naive].filter((field) => FORMULA.test(field))).toEqual([]);
      }),
      { numRuns: 3000 },
    );
  },
);

test('a cell reads back as the text with its apostrophes', () => {
  fc.assert(
    fc.property(hostile, hostile, (a, b) => {
      expect(fieldsOf(`${csvCell(a)},${csvCell(b)}`, ',')).toEqual([spreadsheetText(a), spreadsheetText(b)]);
    }),
    { numRuns: 3000 },
  );
});

test('a long text of separators takes no longer than its length', () => {
  const text = '; \t'.repeat(200_000);
  const before = performance.now();
  expect(spreadsheetText(`${text}=`).length).toBe(text.length + 2);
  expect(performance.now() - before).toBeLessThan(1000);
});
