import { expect, test } from 'vitest';
import { BucketCounts } from '../../../shared/statistics/bucket-counts.ts';

function listOf(counts: BucketCounts): number[][] {
  const list: number[][] = [];
  counts.forEach((bucket, count) => {
    list.push([bucket, count]);
  });
  return list;
}

test.each([0xfffe, 0xffff, 2 ** 31, 2 ** 32, 2 ** 40])('counts go on past %d without wrapping', (many) => {
  const counts = new BucketCounts();
  counts.increment(70, many);
  counts.increment(70, 1);
  counts.increment(900, 2);
  expect(listOf(counts)).toEqual([
    [70, many + 1],
    [900, 2],
  ]);
  const merged = new BucketCounts();
  merged.increment(70, 0xffff);
  merged.increment(3, 1);
  merged.merge(counts);
  expect(listOf(merged)).toEqual([
    [3, 1],
    [70, many + 1 + 0xffff],
    [900, 2],
  ]);
});
