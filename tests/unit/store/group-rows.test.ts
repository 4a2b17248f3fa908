import fc from 'fast-check';
import { expect, test } from 'vitest';
import { groupRows } from '../../../collector/reductions/combine-codes.ts';
import { sortRows } from '../../../collector/storage/rollups/roll-up.ts';

const rows = fc.integer({ min: 1, max: 60 });
/** Few codes and very many, so that keys are joined and are not. */
const column = (n: number) =>
  fc.constantFrom(1, 3, 40, 100_000).chain((size) =>
    fc.record({
      size: fc.constant(size),
      codes: fc.array(fc.integer({ min: -1, max: size - 1 }), { minLength: n, maxLength: n }),
    }),
  );
const tables = rows.chain((n) =>
  fc.array(column(n), { minLength: 1, maxLength: 6 }).map((columns) => ({ n, columns })),
);

test('rows are in one group exactly if they agree in every column', () => {
  fc.assert(
    fc.property(tables, ({ n, columns }) => {
      const { codes, first } = groupRows(
        n,
        columns.map(({ size, codes }) => ({ size, codes: Int32Array.from(codes) })),
      );
      const keyOf = (row: number) => columns.map(({ codes }) => codes[row]).join();
      const keys = [...new Set(Array.from({ length: n }, (_, row) => keyOf(row)))];
      expect(first.map(keyOf)).toEqual(keys);
      expect([...codes]).toEqual(Array.from({ length: n }, (_, row) => keys.indexOf(keyOf(row))));
    }),
    { seed: 11, numRuns: 200 },
  );
});

test('sorted rows stand by group, ascending inside, and none is lost', () => {
  const codes = fc.array(fc.integer({ min: 0, max: 7 }), { maxLength: 50 });
  fc.assert(
    fc.property(codes, fc.func(fc.boolean()), (list, wanted) => {
      const chosen = list.flatMap((_, row) => (wanted(row) ? [row] : []));
      const sorted = sortRows(Int32Array.from(chosen), Int32Array.from(list), 8);
      for (let group = 0; group < 8; group++) {
        const run = [...sorted.rows.subarray(sorted.starts[group], sorted.starts[group + 1])];
        expect(run).toEqual(chosen.filter((row) => list[row] === group));
      }
    }),
    { seed: 12, numRuns: 200 },
  );
});
