import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exactDistribution } from '../../../shared/statistics/exact-distribution.ts';

const TIMES = fc.array(fc.integer({ min: -1_000_000, max: 86_400_000_000 }), { maxLength: 60 });

test('999 times 10 ms and once 3 s: the median does not move, the sum does', () => {
  const values = [...Array.from({ length: 999 }, () => 10_000), 3_000_000];
  const distribution = exactDistribution(values);
  expect(distribution.valueAtRank(499)).toBe(10_000);
  expect(distribution.sum / distribution.n).toBe(12_990);
  expect(distribution.sumOfLargest(2)).toBe(3_010_000);
  expect(distribution.bins()).toEqual([
    { from: 10_000, to: 10_001, count: 999 },
    { from: 3_000_000, to: 3_000_001, count: 1 },
  ]);
});

test('an empty one has no least and no largest value, and no ranks', () => {
  const empty = exactDistribution([]);
  expect(empty).toMatchObject({ n: 0, sum: 0, sumSquares: 0n, min: null, max: null });
  expect(() => empty.valueAtRank(0)).toThrow(RangeError);
});

test('every answer agrees with the plain array', () => {
  fc.assert(
    fc.property(TIMES, fc.integer(), fc.nat(70), (values, threshold, k) => {
      const distribution = exactDistribution(values);
      const sorted = [...values].sort((a, b) => a - b);
      expect(values.map((_, rank) => distribution.valueAtRank(rank))).toEqual(sorted);
      expect(distribution.countAbove(threshold)).toBe(values.filter((value) => value > threshold).length);
      const largest = k === 0 ? [] : sorted.slice(-k);
      expect(distribution.sumOfLargest(k)).toBe(largest.reduce((sum, value) => sum + value, 0));
      expect(distribution.sumSquares).toBe(values.reduce((sum, value) => sum + BigInt(value) ** 2n, 0n));
      expect(distribution.bins().reduce((sum, bin) => sum + bin.count, 0)).toBe(values.length);
    }),
  );
});
