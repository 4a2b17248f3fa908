import { expect, test } from 'vitest';
import { sortedCopy } from '../../../collector/storage/passes/radix-sort.ts';
import { IntegerList } from '../../../collector/storage/rollups/integer-list.ts';
import { encodeExactBlock, visitExactBlock } from '../../../collector/storage/rollups/value-block.ts';
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
  const values = Array.from({ length }, () => least + Math.floor(random() * span));
  const list = new IntegerList();
  for (const value of values) list.add(value);
  const expected = Float64Array.from(values).sort();
  const sorted = sortedCopy(list.parts());
  expect(Float64Array.from(sorted)).toEqual(expected);
  expect(sorted.length).toBe(length);
});

test('an exact pack gives back each value, however large or far below zero', () => {
  const cells = [[5, 7, 7], [-(2 ** 33), 5], Array.from({ length: 3000 }, (_, i) => i * 20_000), [2 ** 36, 3]];
  const list = new IntegerList();
  const pack = encodeExactBlock(cells.map((values, cell) => [cell, values] as const));
  visitExactBlock(pack, { groupOf: () => 0, valuesOf: () => list });
  const expected = Float64Array.from(cells.flat()).sort();
  expect(list.length).toBe(expected.length);
  expect(Float64Array.from(sortedCopy(list.parts()))).toEqual(expected);
});
