import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCombinations } from '../../../collector/storage/passes/combinations.ts';

test('the same words have the same number, others another, and numbers follow each other', () => {
  const word = fc.option(fc.integer({ min: 0, max: 40 }).map(String), { nil: null });
  fc.assert(
    fc.property(fc.array(fc.tuple(word, word, word), { maxLength: 200 }), (rows) => {
      const paths = createCombinations(3);
      const numbers = rows.map((row) => paths.numberOf(row.map((one, column) => paths.valueOf(column, one))));
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
  const paths = createCombinations(2);
  const all = 3000;
  const seen = new Set<number>();
  for (let i = 0; i < all; i++) seen.add(paths.numberOf([paths.valueOf(0, `a${i}`), paths.valueOf(1, `b${i}`)]));
  expect(seen.size).toBe(all);
  expect(paths.numberOf([paths.valueOf(0, 'a5'), paths.valueOf(1, 'b5')])).toBe(5);
  expect(paths.numberOf([paths.valueOf(0, 'a5'), paths.valueOf(1, 'b6')])).toBe(all);
});
