import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exactDistribution } from '../../../shared/statistics/exact-distribution.ts';
import { quantileRank } from '../../../shared/statistics/quantile-rank.ts';
import { Sketch } from '../../../shared/statistics/sketch.ts';
import { SKETCH_BOUND } from '../../../shared/statistics/sketch-buckets.ts';
import { DISTRIBUTIONS } from './seeded-distributions.ts';
import { sketchOf } from './sketch-of.ts';

const SIZES = [1, 10, 350, 10_000, 100_000];
const QUANTILES = [0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999];
const VALUE = fc.oneof(
  fc.integer({ min: -200, max: 200 }),
  fc.integer({ min: -5_000_000, max: 5_000_000 }),
  fc.maxSafeInteger().map((value) => value % 86_400_000_001),
);
const VALUES = fc.array(VALUE, { maxLength: 80 });

/** Everything a sketch knows, without the spare buckets around those in use. */
function contentOf(sketch: Sketch) {
  const { n, sum, min, max, squares } = sketch;
  return { n, sum, min, max, squares: { ...squares }, bins: sketch.build().bins() };
}

function mergeSketches(sketches: readonly Sketch[]): Sketch {
  const merged = new Sketch();
  for (const sketch of sketches) merged.merge(sketch.state());
  return merged;
}

describe.each(DISTRIBUTIONS)('$name', ({ draw }) => {
  test.each(SIZES)('%d values: every quantile within the stated bound, the sums exact', (n) => {
    const values = draw(n);
    const exact = exactDistribution(values);
    const sketched = sketchOf(values).build();
    for (const q of QUANTILES) {
      const truth = exact.valueAtRank(quantileRank(q, n));
      const error = Math.abs(sketched.valueAtRank(quantileRank(q, n)) - truth);
      expect(error).toBeLessThanOrEqual(SKETCH_BOUND * truth);
    }
    expect(sketched).toMatchObject({ n, sum: exact.sum, sumSquares: exact.sumSquares, min: exact.min, max: exact.max });
  });
});

test('below 128 µs every value is kept as it is, on both sides of 0', () => {
  const values = Array.from({ length: 255 }, (_, i) => i - 127);
  const sketched = sketchOf(values).build();
  expect(values.map((_, rank) => sketched.valueAtRank(rank))).toEqual(values);
});

test('ranks may be asked for in any order, and bins, capped sums and ranks tell of the same values', () => {
  fc.assert(
    fc.property(fc.array(VALUE, { minLength: 1, maxLength: 80 }), fc.nat(), VALUE, (values, turn, cap) => {
      const sketch = sketchOf(values);
      const ranks = values.map((_, rank) => rank);
      const ascending = ranks.map((rank) => sketch.build().valueAtRank(rank));
      const one = sketch.build();
      const turned = ranks.map((_, i) => (i * 7 + turn) % values.length);
      for (const rank of turned) expect(one.valueAtRank(rank)).toBe(ascending[rank]);
      const capped = one
        .bins()
        .reduce((sum, { from, to, count }) => sum + count * Math.min(cap, (from + to - 1) / 2), 0);
      expect(one.cappedSum(cap)).toBe(capped);
      const middles = one.bins().flatMap(({ from, to, count }) => Array<number>(count).fill((from + to - 1) / 2));
      const [from, to] = [turn % values.length, values.length - (turn % 3)];
      expect(one.sumOfRanks(from, to)).toBe(middles.slice(from, to).reduce((sum, each) => sum + each, 0));
    }),
  );
  expect(exactDistribution([1, 5, 9]).cappedSum(6)).toBe(12);
  expect(exactDistribution([1, 5, 9]).sumOfRanks(1, 2)).toBe(5);
});

test('merging in any order and grouping gives the same sketch to the last bit', () => {
  fc.assert(
    fc.property(fc.array(VALUES, { minLength: 1, maxLength: 6 }), fc.nat(), (groups, turn) => {
      const all = contentOf(sketchOf(groups.flat()));
      const turned = groups.map((_, i) => groups[(i + turn) % groups.length] as number[]).reverse();
      expect(contentOf(mergeSketches(turned.map(sketchOf)))).toEqual(all);
      const [first = [], ...rest] = groups;
      const grouped = mergeSketches([sketchOf(first), mergeSketches(rest.map(sketchOf))]);
      expect(contentOf(grouped)).toEqual(all);
    }),
  );
});

test('merging leaves the other sketch as it was, and a distribution does not follow later additions', () => {
  const one = sketchOf([5, 900]);
  const before = contentOf(one);
  const merged = new Sketch();
  merged.merge(one.state());
  const seen = merged.build();
  merged.merge(sketchOf([7_000_000]).state());
  expect(contentOf(one)).toEqual(before);
  expect(seen).toMatchObject({ n: 2, max: 900 });
  expect(seen.countAbove(899)).toBe(1);
});

test('the sum of the k largest stays within the bound', () => {
  for (const { draw } of DISTRIBUTIONS) {
    const values = draw(10_000);
    const truth = exactDistribution(values).sumOfLargest(100);
    const error = Math.abs(sketchOf(values).build().sumOfLargest(100) - truth);
    expect(error).toBeLessThanOrEqual(SKETCH_BOUND * truth);
  }
});

test('the sum of squares of minutes-long times is exact where a double is not', () => {
  const values = [60_000_001, 59_999_999, 61_234_567, 3_600_000_003, -86_400_000_000];
  const truth = values.reduce((sum, value) => sum + BigInt(value) ** 2n, 0n);
  expect(sketchOf(values).build().sumSquares).toBe(truth);
  expect(truth).toBeGreaterThan(BigInt(Number.MAX_SAFE_INTEGER));
});

test.each([0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 38, -(2 ** 38)])('%d is refused', (value) => {
  expect(() => new Sketch().add(value)).toThrow(RangeError);
});
