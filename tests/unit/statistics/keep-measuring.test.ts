import { expect, test } from 'vitest';
import { keepMeasuring } from '../../../shared/statistics/keep-measuring.ts';

const STEADY = { n: 64, p25: 98, median: 100, p75: 102, medianInterval: [99, 101] as const };

test('close quartiles over enough samples can stand', () => {
  expect(keepMeasuring(STEADY)).toEqual([]);
});

test('each limit is its own reason, and only beyond it', () => {
  expect(keepMeasuring({ ...STEADY, n: 29 })).toEqual(['few_samples']);
  expect(keepMeasuring({ ...STEADY, n: 30 })).toEqual([]);
  expect(keepMeasuring({ ...STEADY, p25: 75, p75: 125 })).toEqual([]);
  expect(keepMeasuring({ ...STEADY, p25: 75, p75: 126 })).toEqual(['wide_quartiles']);
  expect(keepMeasuring({ ...STEADY, medianInterval: [95, 105] })).toEqual([]);
  expect(keepMeasuring({ ...STEADY, medianInterval: [95, 106] })).toEqual(['wide_interval']);
});

test('the quartiles of the BSP page of 1 KB ask for more', () => {
  const page = { n: 64, p25: 190.26, median: 192.89, p75: 299.48, medianInterval: null };
  expect(keepMeasuring(page)).toEqual(['wide_quartiles']);
});

test('a median of 0 with any spread is not a fact, one without spread is', () => {
  expect(keepMeasuring({ n: 100, p25: 0, median: 0, p75: 3, medianInterval: [0, 0] })).toEqual(['wide_quartiles']);
  expect(keepMeasuring({ n: 100, p25: 0, median: 0, p75: 0, medianInterval: [0, 0] })).toEqual([]);
});
