import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitColumns } from '../../../collector/reports/render/split-columns.ts';
import { displayWidth, wrapText } from '../../../collector/reports/render/wrap-text.ts';

test('columns that fit stand side by side, and get what room is left', () => {
  const columns = [
    { least: 5, best: 20 },
    { least: 5, best: 5 },
  ];
  expect(splitColumns(columns, 1, 30, 2)).toEqual([{ columns: [0, 1], widths: [20, 5] }]);
});

test('columns that do not fit are divided, each part with what its rows are about', () => {
  const columns = [{ least: 10, best: 10 }, ...Array.from({ length: 5 }, () => ({ least: 9, best: 9 }))];
  const parts = splitColumns(columns, 1, 32, 2);
  expect(parts.map((part) => part.columns)).toEqual([
    [0, 1, 2],
    [0, 3, 4],
    [0, 5],
  ]);
});

test('no part is wider than its room, and every column is there', () => {
  const column = fc.record({ least: fc.integer({ min: 1, max: 60 }), more: fc.integer({ min: 0, max: 60 }) });
  fc.assert(
    fc.property(fc.array(column, { minLength: 1, maxLength: 12 }), fc.integer({ min: 1, max: 3 }), (drawn, keys) => {
      const columns = drawn.map(({ least, more }) => ({ least, best: least + more }));
      const room = 80;
      const parts = splitColumns(columns, Math.min(keys, columns.length), room, 2);
      for (const { columns: chosen, widths } of parts) {
        expect(widths.every((width) => width >= 1)).toBe(true);
        expect(widths.reduce((sum, width) => sum + width, 2 * (chosen.length - 1))).toBeLessThanOrEqual(room);
      }
      expect(new Set(parts.flatMap((part) => part.columns))).toEqual(new Set(columns.keys()));
    }),
  );
});

test('text is wrapped between words, and within one only where it is longer than a line', () => {
  expect(wrapText('one two three', 7)).toEqual(['one two', 'three']);
  expect(wrapText('app-0.example.com', 10)).toEqual(['app-0.', 'example.', 'com']);
  expect(wrapText('app-0.example.com', 10).join('')).toBe('app-0.example.com');
  expect(wrapText('', 10)).toEqual(['']);
});

test('a number and its unit stay on one line', () => {
  expect(wrapText('85 ms (46 %), 106 ms', 11)).toEqual(['85 ms', '(46 %),', '106 ms']);
  expect(wrapText('Over 1 s', 6)).toEqual(['Over', '1 s']);
  expect(wrapText('page 3 seconds', 8)).toEqual(['page 3', 'seconds']);
});

test('no line is wider than it may be, and nothing is lost', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), fc.integer({ min: 2, max: 40 }), (text, width) => {
      const lines = wrapText(text, width);
      for (const line of lines)
        if ([...line].length > 1) expect(displayWidth(line)).toBeLessThanOrEqual(Math.max(width, 2));
      expect(lines.join('').replace(/\s/gu, '')).toBe(text.replace(/\s/gu, ''));
    }),
  );
});
