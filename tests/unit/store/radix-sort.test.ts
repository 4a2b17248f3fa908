import { expect, test } from 'vitest';
import { sortWhole } from '../../../collector/store/query/radix-sort.ts';
import { seededRandom } from '../../../shared/statistics/seeded-random.ts';

test.each([
  ['few', 10, 1e6, 0],
  ['many', 20_000, 1e6, 0],
  ['up to 32 bits', 20_000, 2 ** 32, 0],
  ['wider than 32 bits', 20_000, 2 ** 37, 0],
  ['negative ones', 20_000, 1e6, -5e5],
])('%s are sorted as the engine sorts them', (_, length, span, least) => {
  const random = seededRandom(7);
  const values = Float64Array.from({ length }, () => least + Math.floor(random() * span));
  const expected = Float64Array.from(values).sort();
  sortWhole(values);
  expect(values).toEqual(expected);
});
