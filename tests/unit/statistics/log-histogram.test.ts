import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exactDistribution } from '../../../shared/statistics/exact-distribution.ts';
import { logHistogram } from '../../../shared/statistics/log-histogram.ts';

test('every value is in the bin that holds it, and in no other', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(10_000_000), { maxLength: 40 }), (values) => {
      const bins = logHistogram(exactDistribution(values));
      for (const { from, to, count } of bins) {
        expect(count).toBe(values.filter((value) => value >= from && value < to).length);
      }
      expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(values.length);
      bins.slice(1).forEach(({ from }, i) => {
        expect(from).toBe(bins[i]?.to);
      });
    }),
  );
});

test('edges are the same for all data', () => {
  const [bin] = logHistogram(exactDistribution([1500]));
  expect(bin).toMatchObject({ from: 2 ** 10.5, to: 2 ** 10.75, count: 1 });
});
