import { expect, test } from 'vitest';
import { binomialTail } from '../../../shared/statistics/binomial-tail.ts';
import { studentTail } from '../../../shared/statistics/student-tail.ts';
import { upperTail } from '../../../shared/statistics/upper-tail.ts';

test.each([
  [0, 0.5],
  [1.959964, 0.025],
  [-1.644854, 0.95],
  [3.090232, 0.001],
])('the normal distribution beyond %f', (z, tail) => {
  expect(upperTail(z)).toBeCloseTo(tail, 6);
});

// From the tables of the t distribution.
test.each([
  [2.228139, 10, 0.025],
  [4.1437, 10, 0.001],
  [2.13145, 15, 0.025],
  [3.732834, 15, 0.001],
  [-2.228139, 10, 0.975],
])('Student’s t beyond %f, with %i degrees of freedom', (t, degrees, tail) => {
  expect(studentTail(t, degrees) / tail).toBeGreaterThan(0.97);
  expect(studentTail(t, degrees) / tail).toBeLessThan(1.03);
});

test.each([
  [1, 1, 0.5, 0.5],
  [2, 3, 0.5, 0.5],
  [5, 10, 0.1, 0.0016349],
  [3, 3, 0.01, 1e-6],
])('%i or more of %i, each with probability %f', (k, n, probability, tail) => {
  expect(binomialTail(k, n, probability) / tail).toBeGreaterThan(0.9);
  expect(binomialTail(k, n, probability) / tail).toBeLessThan(1.1);
});
