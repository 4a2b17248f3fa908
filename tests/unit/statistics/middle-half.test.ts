import { expect, test } from 'vitest';
import { exactDistribution } from '../../../shared/statistics/exact-distribution.ts';
import { middleHalfMean } from '../../../shared/statistics/middle-half.ts';
import { DISTRIBUTIONS } from './seeded-distributions.ts';
import { sketchOf } from './sketch-of.ts';

test('a quarter of the values is left out at either end, rounded down', () => {
  expect(middleHalfMean(exactDistribution([1, 2, 4, 1000]))).toBe(3);
  expect(middleHalfMean(exactDistribution([1, 2, 6, 7, 9, 11, 1000]))).toBe(7);
  expect(middleHalfMean(exactDistribution([1, 2, 6]))).toBe(3);
  expect(middleHalfMean(exactDistribution([]))).toBe(0);
});

test('zeros count without being in the list', () => {
  expect(middleHalfMean(exactDistribution([8, 8, 8, 8]), 4)).toBe(4);
  expect(middleHalfMean(exactDistribution([8]), 7)).toBe(0);
  expect(middleHalfMean(exactDistribution([]), 4)).toBe(0);
});

test.each(DISTRIBUTIONS.map(({ name, draw }) => [name, draw] as const))(
  '%s: a sketch is within its bound',
  (_, draw) => {
    for (const n of [5, 400, 5000]) {
      const values = draw(n);
      const exact = middleHalfMean(exactDistribution(values));
      expect(Math.abs(middleHalfMean(sketchOf(values).build()) - exact)).toBeLessThanOrEqual(0.0079 * exact + 0.5);
    }
  },
);
