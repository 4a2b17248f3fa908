import { expect, test } from 'vitest';
import { exactDistribution } from '../../../shared/statistics/exact-distribution.ts';
import { timeStatistics } from '../../../shared/statistics/time-statistics.ts';

test('microseconds become milliseconds; quantiles are measured values', () => {
  const statistics = timeStatistics(exactDistribution([1000, 2000, 3000, 4000, 5500, 9000]), 100);
  expect(statistics).toMatchObject({
    n: 6,
    min: 1,
    p25: 2,
    median: 3,
    medianInterval: [1, 9],
    p75: 4,
    p90: 5.5,
    p95: 5.5,
    p99: 5.5,
    max: 9,
    mean: 24.5 / 6,
    belowClockStep: false,
  });
  expect(statistics?.keepMeasuring).toContain('few_samples');
});

test('nothing measured is null, not zeros', () => {
  expect(timeStatistics(exactDistribution([]), 100)).toBeNull();
});

test('a median under the clock step is named as such; without a known step nothing is claimed', () => {
  const tiny = exactDistribution([400, 400, 999]);
  expect(timeStatistics(tiny, 1000)?.belowClockStep).toBe(true);
  expect(timeStatistics(tiny, 400)?.belowClockStep).toBe(false);
  expect(timeStatistics(tiny, null)?.belowClockStep).toBe(false);
});
