import { expect, test } from 'vitest';
import { exactDistribution } from '../../../shared/statistics/exact-distribution.ts';
import { sharesAbove } from '../../../shared/statistics/shares-above.ts';
import { sketchOf } from './sketch-of.ts';

test('a value at the threshold is not above it', () => {
  const shares = sharesAbove(exactDistribution([100, 200, 200, 300]), [200, 300, 50]);
  expect(shares?.map(({ count }) => count)).toEqual([1, 0, 4]);
  expect(shares?.[0]?.share).toBe(0.25);
});

test('the sketch is off by no more than the bucket of the threshold', () => {
  const values = Array.from({ length: 10_000 }, (_, i) => i * 50);
  const [share] = sharesAbove(sketchOf(values).build(), [200_000]) ?? [];
  expect(Math.abs((share?.share ?? 0) - 0.6)).toBeLessThan(0.002);
});

test('nothing has no shares', () => {
  expect(sharesAbove(exactDistribution([]), [200])).toBeNull();
});

test('a sketch says between which counts the truth lies', () => {
  const values = [...Array.from({ length: 999 }, () => 199_000), 1_000_000];
  expect(sharesAbove(exactDistribution(values), [200_000])?.[0]).toMatchObject({ count: 1, range: [1, 1] });
  const [sketched] = sharesAbove(sketchOf(values).build(), [200_000]) ?? [];
  // The smallest is known not to be above.
  expect(sketched?.range).toEqual([1, 999]);
  // No value lies in the bucket of 500 ms, so nothing is in doubt there; nor past the largest.
  expect(sharesAbove(sketchOf(values).build(), [500_000, 1_000_000])?.map(({ range }) => range)).toEqual([
    [1, 1],
    [0, 0],
  ]);
});
