import { expect, test } from 'vitest';
import type { Distribution } from '../../../shared/statistics/distribution.ts';
import { exactDistribution } from '../../../shared/statistics/exact-distribution.ts';
import { timeStatistics } from '../../../shared/statistics/time-statistics.ts';
import { sketchOf } from './sketch-of.ts';

/** In milliseconds. */
const deviationOf = (distribution: Distribution) => timeStatistics(distribution, null)?.sd;

test('it divides by n − 1, and one sample has none', () => {
  const values = [2000, 4000, 4000, 4000, 5000, 5000, 7000, 9000];
  expect(deviationOf(exactDistribution(values))).toBeCloseTo(Math.sqrt(32 / 7), 12);
  expect(deviationOf(exactDistribution([4]))).toBeNull();
});

test('a spread of 1 µs around a day is found, in the sketch as well', () => {
  const day = 86_400_000_000;
  const values = [day - 1, day, day + 1];
  expect(deviationOf(exactDistribution(values))).toBe(0.001);
  expect(deviationOf(sketchOf(values).build())).toBe(0.001);
});
