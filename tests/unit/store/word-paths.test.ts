import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createWordPaths } from '../../../collector/storage/passes/word-paths.ts';

test('the same words have the same number, others another, and numbers follow each other', () => {
  const word = fc.option(fc.integer({ min: 0, max: 40 }).map(String), { nil: null });
  fc.assert(
    fc.property(fc.array(fc.tuple(word, word, word), { maxLength: 200 }), (rows) => {
      const paths = createWordPaths(3);
      const numbers = rows.map((row) => paths.pathOf(row.map((one, column) => paths.wordOf(column, one))));
      const expected = new Map<string, number>();
      rows.forEach((row, i) => {
        const id = JSON.stringify(row);
        if (!expected.has(id)) expected.set(id, expected.size);
        expect(numbers[i]).toBe(expected.get(id));
      });
    }),
    { seed: 4, numRuns: 100 },
  );
});

test('more combinations than a table holds are told apart as well', () => {
  const paths = createWordPaths(2);
  const all = 3000;
  const seen = new Set<number>();
  for (let i = 0; i < all; i++) seen.add(paths.pathOf([paths.wordOf(0, `a${i}`), paths.wordOf(1, `b${i}`)]));
  expect(seen.size).toBe(all);
  expect(paths.pathOf([paths.wordOf(0, 'a5'), paths.wordOf(1, 'b5')])).toBe(5);
  expect(paths.pathOf([paths.wordOf(0, 'a5'), paths.wordOf(1, 'b6')])).toBe(all);
});
