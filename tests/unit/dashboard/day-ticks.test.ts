import { expect, test } from 'vitest';
import { dayTicks } from '../../../collector/dashboard/charts/day-ticks.ts';

const october = (day: number, hour = 0) => new Date(2026, 9, day, hour);

test('ticks of days are equally far apart over the end of a month', () => {
  expect(dayTicks(october(25), october(37), 6)).toEqual([25, 27, 29, 31, 33, 35, 37].map((day) => october(day)));
});

test('they are at midnight, and weeks apart in long ranges', () => {
  expect(dayTicks(october(1, 9), october(32, 9), 7)).toEqual([2, 9, 16, 23, 30].map((day) => october(day)));
  expect(dayTicks(october(1), october(91), 6)).toEqual([1, 22, 43, 64, 85].map((day) => october(day)));
});

test('hours are left to the axis', () => {
  expect(dayTicks(october(1), october(2), 8)).toBe(8);
});
