import fc from 'fast-check';
import { expect, test } from 'vitest';
import { medianPolish } from '../../../shared/statistics/median-polish.ts';

test('an additive table is divided exactly', () => {
  const table = [0, 3, 40].map((row) => [-2, 0, 10, 25].map((column) => 100 + row + column));
  const { overall, rows, columns, residuals } = medianPolish(table);
  expect(overall).toBe(100 + 3 + 5);
  expect(rows).toEqual([-3, 0, 37]);
  expect(columns).toEqual([-7, -5, 5, 20]);
  expect(residuals.flat()).toEqual(Array(12).fill(0));
});

test('one extreme pair changes neither its row nor its column', () => {
  const table = [0, 5, 9].map((row) => [0, 2, 4].map((column) => 10 + row + column));
  const before = medianPolish(table);
  (table[2] as number[])[1] = 10 + 9 + 2 + 500;
  const { rows, columns, residuals } = medianPolish(table);
  expect(rows).toEqual(before.rows);
  expect(columns).toEqual(before.columns);
  expect(residuals).toEqual([
    [0, 0, 0],
    [0, 0, 0],
    [0, 500, 0],
  ]);
});

test('missing values take no part, and stay missing', () => {
  const { overall, rows, columns, residuals } = medianPolish([
    [10, 12, null],
    [null, 42, 45],
    [20, 22, 25],
  ]);
  // Each sweep halves what is left.
  const near = (values: readonly (number | null)[]) => values.map((each) => each && Math.round(each * 1e6) / 1e6 + 0);
  expect([overall, near(rows), near(columns)]).toEqual([22, [-10, 20, 0], [-2, 0, 3]]);
  expect(residuals.map(near)).toEqual([
    [0, 0, null],
    [null, 0, 0],
    [0, 0, 0],
  ]);
  expect(medianPolish([[null, null]])).toMatchObject({ overall: 0, rows: [0], columns: [0, 0] });
});

test('the parts of every value add up, and effects have the median 0', () => {
  const value = fc.oneof({ weight: 9, arbitrary: fc.integer({ min: 0, max: 5000 }) }, fc.constant(null));
  const tables = fc
    .tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 6 }))
    .chain(([rows, columns]) =>
      fc.array(fc.array(value, { minLength: columns, maxLength: columns }), { minLength: rows, maxLength: rows }),
    );
  fc.assert(
    fc.property(tables, (table) => {
      const { overall, rows, columns, residuals } = medianPolish(table);
      table.forEach((row, r) => {
        row.forEach((given, c) => {
          const residual = residuals[r]?.[c] ?? null;
          if (given === null) expect(residual).toBeNull();
          else expect(overall + (rows[r] ?? 0) + (columns[c] ?? 0) + (residual ?? 0)).toBeCloseTo(given, 6);
        });
      });
      for (const effects of [rows, columns]) {
        const sorted = [...effects].sort((a, b) => a - b);
        const [low, high] = [sorted[(sorted.length - 1) >> 1] ?? 0, sorted[sorted.length >> 1] ?? 0];
        expect(low + high).toBeCloseTo(0, 6);
      }
    }),
  );
});
