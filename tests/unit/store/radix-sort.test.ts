import { expect, test } from 'vitest';
import { WholeValues } from '../../../collector/store/pack/whole-values.ts';
import { sortedCopy } from '../../../collector/store/query/radix-sort.ts';
import { seededRandom } from '../../../shared/statistics/seeded-random.ts';

test.each([
  ['few', 10, 1e6, 0],
  ['of one digit', 20_000, 1e3, 50],
  ['of two', 20_000, 1e6, 0],
  ['of three', 20_000, 2 ** 30, 0],
  ['up to 32 bits', 20_000, 2 ** 32, 0],
  ['wider than 32 bits', 20_000, 2 ** 37, 0],
  ['negative ones', 20_000, 1e6, -5e5],
  ['from the least to the largest', 20_000, 2 ** 32, -(2 ** 31)],
  ['all alike', 20_000, 1, 7],
])('%s are sorted as the engine sorts them', (_, length, span, least) => {
  const random = seededRandom(7);
  const list = new WholeValues();
  for (let i = 0; i < length; i++) list.add(least + Math.floor(random() * span));
  const expected = Float64Array.from(list.values.subarray(0, list.length)).sort();
  const sorted = sortedCopy(list.values, list.length);
  expect(Float64Array.from(sorted)).toEqual(expected);
  expect(sorted.length).toBe(length);
});
