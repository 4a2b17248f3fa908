import { expect, test } from 'vitest';
import { csvText } from '../../../collector/export/csv-format.ts';

test.each([
  ['plain', 'plain'],
  ['a,b', '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ['two\r\nlines', '"two\r\nlines"'],
  ['=HYPERLINK("http://evil")', '"\'=HYPERLINK(""http://evil"")"'],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', '"\'\t=1"'],
  ['＝1', "'＝1"],
  ['net::ERR_FAILED', 'net::ERR_FAILED'],
  ['/orders/{n}', '/orders/{n}'],
])('%j becomes the cell %j', (value, cell) => {
  expect(csvText(value)).toBe(cell);
});
