import fc from 'fast-check';
import { expect, test } from 'vitest';
import { energySplit } from '../../../shared/statistics/energy-split.ts';

interface Point {
  readonly value: number;
  readonly class: number;
}

const oneClass = (...values: number[]): Point[] => values.map((value) => ({ value, class: 0 }));
const split = (points: readonly Point[], minimum: number) =>
  energySplit(
    Float64Array.from(points, ({ value }) => value),
    Uint8Array.from(points, (point) => point.class),
    minimum,
  );

test('small cases by hand', () => {
  // 2·2/4 · (2·1 − 0 − 0)
  expect(split(oneClass(0, 0, 1, 1), 1)).toEqual({ at: 2, distance: 2 });
  // 1·2/3 · (2·4 − 0 − 0)
  expect(split(oneClass(0, 4, 4), 1)).toEqual({ at: 1, distance: expect.closeTo((2 / 3) * 8, 12) });
  expect(split(oneClass(5, 5, 5, 5), 2)).toEqual({ at: 2, distance: 0 });
});

test('keeps the minimum on both sides, and needs twice that many points', () => {
  expect(split(oneClass(0, 9, 9, 9, 9), 2)?.at).toBe(2);
  expect(split(oneClass(9, 9, 9, 9, 0), 2)?.at).toBe(3);
  expect(split(oneClass(0, 9, 9), 2)).toBeNull();
  expect(split([], 1)).toBeNull();
});

/** The definition, without sums that are carried along. */
function plain(points: readonly Point[], at: number): number {
  const classes = [...new Set(points.map((point) => point.class))];
  const mean = (a: readonly number[], b: readonly number[]) =>
    a.flatMap((x) => b.map((y) => Math.abs(x - y))).reduce((sum, d) => sum + d, 0) / (a.length * b.length);
  return classes.reduce((sum, name) => {
    const of = (side: readonly Point[]) => side.flatMap((p) => (p.class === name ? [p.value] : []));
    const [left, right] = [of(points.slice(0, at)), of(points.slice(at))];
    const [n, m] = [left.length, right.length];
    if (n === 0 || m === 0) return sum;
    return sum + ((n * m) / (n + m)) * (2 * mean(left, right) - mean(left, left) - mean(right, right));
  }, 0);
}

test('is the largest distance that the definition gives, and never negative', () => {
  const point = fc.record({ value: fc.integer({ min: -50, max: 50 }), class: fc.integer({ min: 0, max: 2 }) });
  fc.assert(
    fc.property(fc.array(point, { minLength: 2, maxLength: 25 }), fc.integer({ min: 1, max: 4 }), (points, minimum) => {
      const found = split(points, minimum);
      const ats = points.map((_, i) => i).filter((at) => at >= minimum && at <= points.length - minimum);
      if (found === null) {
        expect(ats).toEqual([]);
        return;
      }
      const largest = Math.max(...ats.map((at) => plain(points, at)));
      expect(found.distance).toBeGreaterThanOrEqual(-1e-9);
      expect(found.distance).toBeCloseTo(largest, 8);
      expect(plain(points, found.at)).toBeCloseTo(largest, 8);
    }),
  );
});
