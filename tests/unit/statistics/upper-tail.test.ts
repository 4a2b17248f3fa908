import { expect, test } from 'vitest';
import { upperTail } from '../../../shared/statistics/upper-tail.ts';

test.each([
  [0, 0.5],
  [1, 0.158_655_25],
  [1.959964, 0.025],
  [-1.644854, 0.95],
  [4, 3.167e-5],
])('a standard normal value is above %d with probability %d', (z, probability) => {
  expect(Math.abs(upperTail(z) - probability)).toBeLessThan(2e-7);
});
