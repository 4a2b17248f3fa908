import { expect, test } from 'vitest';
import { seededRandom } from '../../../shared/statistics/seeded-random.ts';

test('the same seed gives the same numbers, another seed others', () => {
  const take = (seed: number) => Array.from({ length: 5 }, seededRandom(seed));
  expect(take(1)).toEqual(take(1));
  expect(take(1)).not.toEqual(take(2));
  expect(take(2 ** 40 + 1)).not.toEqual(take(1));
});

test('the numbers are uniform enough to resample with', () => {
  const random = seededRandom(3);
  const tenths = new Array<number>(10).fill(0);
  for (let i = 0; i < 100_000; i++) {
    const at = Math.floor(random() * 10);
    tenths[at] = (tenths[at] ?? 0) + 1;
  }
  // Five standard deviations of a binomial with p = 0.1.
  for (const count of tenths) expect(Math.abs(count - 10_000)).toBeLessThan(475);
});
