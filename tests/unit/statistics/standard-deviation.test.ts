import { expect, test } from 'vitest';
import { exactDistribution } from '../../../shared/statistics/exact-distribution.ts';
import { sketchOf } from '../../../shared/statistics/sketch.ts';
import { standardDeviation } from '../../../shared/statistics/standard-deviation.ts';

test('it divides by n − 1, and one sample has none', () => {
  expect(standardDeviation(exactDistribution([2, 4, 4, 4, 5, 5, 7, 9]))).toBeCloseTo(Math.sqrt(32 / 7), 12);
  expect(standardDeviation(exactDistribution([4]))).toBeNull();
});

test('a spread of 1 µs around a day is found, in the sketch as well', () => {
  const day = 86_400_000_000;
  const values = [day - 1, day, day + 1];
  expect(standardDeviation(exactDistribution(values))).toBe(1);
  expect(standardDeviation(sketchOf(values).build())).toBe(1);
});
