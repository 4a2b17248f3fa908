import { expect, test } from 'vitest';
import { keepMeasuring, variesWidely } from '../../../shared/statistics/keep-measuring.ts';

const STEADY = { n: 64, browsers: 5, median: 100, medianInterval: [99, 101] as const };

test('enough samples of enough browsers can stand', () => {
  expect(keepMeasuring(STEADY)).toEqual([]);
});

test('each limit is its own reason, and only beyond it', () => {
  expect(keepMeasuring({ ...STEADY, n: 29 })).toEqual(['few_samples']);
  expect(keepMeasuring({ ...STEADY, n: 30 })).toEqual([]);
  expect(keepMeasuring({ ...STEADY, browsers: 4 })).toEqual(['few_browsers']);
  expect(keepMeasuring({ ...STEADY, browsers: null })).toEqual([]);
  expect(keepMeasuring({ ...STEADY, medianInterval: [95, 105] })).toEqual([]);
  expect(keepMeasuring({ ...STEADY, medianInterval: [95, 106] })).toEqual(['wide_interval']);
});

test('a median of 0 is not known if its interval is wider', () => {
  expect(keepMeasuring({ ...STEADY, median: 0, medianInterval: [0, 0] })).toEqual([]);
  expect(keepMeasuring({ ...STEADY, median: 0, medianInterval: [0, 3] })).toEqual(['wide_interval']);
});

test('quartiles further apart than half the median vary widely, as those of the BSP page of 1 KB', () => {
  expect(variesWidely({ p25: 75, median: 100, p75: 125 })).toBe(false);
  expect(variesWidely({ p25: 75, median: 100, p75: 126 })).toBe(true);
  expect(variesWidely({ p25: 190.26, median: 192.89, p75: 299.48 })).toBe(true);
  expect(variesWidely({ p25: 0, median: 0, p75: 3 })).toBe(true);
  expect(variesWidely({ p25: 0, median: 0, p75: 0 })).toBe(false);
});
