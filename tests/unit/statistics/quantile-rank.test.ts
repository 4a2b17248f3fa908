import { expect, test } from 'vitest';
import { quantileRank } from '../../../shared/statistics/quantile-rank.ts';

test.each([
  [0.5, 1, 0],
  [0.5, 2, 0],
  [0.5, 3, 1],
  [0.5, 4, 1],
  [0.25, 64, 15],
  [0.75, 64, 47],
  [0.95, 10_000, 9499],
  [0, 7, 0],
  [1, 7, 6],
])('quantile %d of %d values is the one at rank %d', (q, n, rank) => {
  expect(quantileRank(q, n)).toBe(rank);
});
