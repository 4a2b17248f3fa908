import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exactDistribution } from '../../../shared/statistics/exact-distribution.ts';
import { quantileRank } from '../../../shared/statistics/quantile-rank.ts';
import { mergeSketches, Sketch, sketchOf } from '../../../shared/statistics/sketch.ts';
import { SKETCH_BOUND } from '../../../shared/statistics/sketch-buckets.ts';
import {
  decodeSketch,
  encodeSketch,
  sketchFromIntegers,
  sketchToIntegers,
} from '../../../shared/statistics/sketch-codec.ts';
import { DISTRIBUTIONS } from './seeded-distributions.ts';

const SIZES = [1, 10, 350, 10_000, 100_000];
const QUANTILES = [0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999];
const VALUE = fc.oneof(
  fc.integer({ min: -200, max: 200 }),
  fc.integer({ min: -5_000_000, max: 5_000_000 }),
  fc.maxSafeInteger().map((value) => value % 86_400_000_001),
);
const VALUES = fc.array(VALUE, { maxLength: 80 });

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
    }),
  );
  expect(exactDistribution([1, 5, 9]).cappedSum(6)).toBe(12);
});

test('merging in any order and grouping gives the same sketch to the last bit', () => {
  fc.assert(
    fc.property(fc.array(VALUES, { minLength: 1, maxLength: 6 }), fc.nat(), (groups, turn) => {
      const all = sketchToIntegers(sketchOf(groups.flat()));
      const turned = groups.map((_, i) => groups[(i + turn) % groups.length] as number[]).reverse();
      expect(sketchToIntegers(mergeSketches(turned.map(sketchOf)))).toEqual(all);
      const [first = [], ...rest] = groups;
      const grouped = mergeSketches([sketchOf(first), mergeSketches(rest.map(sketchOf))]);
      expect(sketchToIntegers(grouped)).toEqual(all);
    }),
  );
});

test('merging leaves the other sketch as it was, and a distribution does not follow later additions', () => {
  const one = sketchOf([5, 900]);
  const before = sketchToIntegers(one);
  const merged = new Sketch();
  merged.merge(one);
  const seen = merged.build();
  merged.merge(sketchOf([7_000_000]));
  expect(sketchToIntegers(one)).toEqual(before);
  expect(seen).toMatchObject({ n: 2, max: 900 });
  expect(seen.countAbove(899)).toBe(1);
});

test('packed and unpacked it is the same sketch', () => {
  fc.assert(
    fc.property(VALUES, (values) => {
      const sketch = sketchOf(values);
      expect(decodeSketch(encodeSketch(sketch))).toEqual(sketchFromIntegers(sketchToIntegers(sketch)));
      expect(sketchToIntegers(decodeSketch(encodeSketch(sketch)))).toEqual(sketchToIntegers(sketch));
    }),
  );
});

test('damaged bytes are refused or still add up, and never hang', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      try {
        const { n } = decodeSketch(bytes);
        expect(sketchToIntegers(decodeSketch(bytes))[0]).toBe(n);
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
      }
    }),
  );
  const whole = sketchToIntegers(sketchOf([1, 2, 3, 500_000]));
  expect(() => sketchFromIntegers(whole.slice(0, -2))).toThrow(/not a sketch/);
  expect(() => sketchFromIntegers([...whole, 9, 9])).toThrow(/not a sketch/);
});

describe('a sketch that cannot be one is refused', () => {
  // n, sum, hi, lo, min, max, then bucket 5 twice and bucket 9 once.
  const whole = [3, 19, 0, 131, 5, 9, 13, 2, 8, 0];
  const changed = (at: number, to: number) => whole.map((integer, i) => (i === at ? to : integer));

  test('as it is, it is accepted', () => {
    expect(sketchToIntegers(sketchFromIntegers(whole))).toEqual(whole);
  });

  test.each([
    ['a first step of 1, to the bucket before all', [1, 5, 0, 25, 5, 5, 1, 1, 0]],
    ['a step that goes nowhere', [3, 19, 0, 131, 5, 9, 13, 1, 1, 1, 8, 0]],
    ['a min outside of the first bucket', changed(4, 4)],
    ['a max outside of the last bucket', changed(5, 10)],
    ['negative squares', changed(2, -1)],
    ['a negative rest of the squares', changed(3, -1)],
    ['a rest of the squares of 2^52', changed(3, 2 ** 52)],
    ['squares too small for the sum', changed(3, 100)],
    ['squares too large for the buckets', changed(2, 1)],
    ['a sum larger than n times max', changed(1, 28)],
    ['a sum smaller than n times min', changed(1, 14)],
    ['a mirrored bucket of 0', [1, 0, 0, 0, 0, 0, 0, 2]],
  ])('%s', (_, integers) => {
    expect(() => sketchFromIntegers(integers)).toThrow(/not a sketch/);
  });

  test('most single flipped bits are seen, and none hangs', () => {
    const bytes = encodeSketch(sketchOf(DISTRIBUTIONS[0]?.draw(300) ?? []));
    let accepted = 0;
    for (let bit = 0; bit < 8 * bytes.length; bit++) {
      const damaged = Uint8Array.from(bytes);
      damaged[bit >> 3] = (damaged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      try {
        decodeSketch(damaged);
        accepted++;
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
      }
    }
    expect(accepted / (8 * bytes.length)).toBeLessThan(0.25);
  });
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
