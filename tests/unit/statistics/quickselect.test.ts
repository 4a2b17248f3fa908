import fc from 'fast-check';
import { expect, test } from 'vitest';
import { quickselect } from '../../../shared/statistics/quickselect.ts';

test('is what sorting puts at that rank, and keeps all values', () => {
  const value = fc.oneof(fc.integer({ min: -5, max: 5 }), fc.double({ noNaN: true }));
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 60 }), fc.nat(), (values, seed) => {
      const sorted = Float64Array.from(values).sort();
      const rank = seed % values.length;
      const selected = Float64Array.from(values);
      expect(quickselect(selected, rank) === sorted[rank]).toBe(true);
      expect(selected.sort()).toEqual(sorted);
    }),
  );
});

test('ordered and equal values take no longer than others', () => {
  const n = 200_000;
  let reads = 0;
  const counting = (of: (i: number) => number) =>
    new Proxy(
      Float64Array.from({ length: n }, (_, i) => of(i)),
      {
        get(values, name) {
          reads++;
          return Reflect.get(values, name, values);
        },
      },
    );
  for (const of of [(i: number) => i, (i: number) => -i, () => 7]) {
    reads = 0;
    quickselect(counting(of), n >> 1);
    expect(reads).toBeLessThan(20 * n);
  }
});
