import fc from 'fast-check';
import { expect, test } from 'vitest';
import { falseDiscovery } from '../../../shared/statistics/false-discovery.ts';

/** Section 4.1 of the paper: 15 endpoints of a study on heart attacks. */
const PAPER = [
  0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.324, 0.4262, 0.5719, 0.6528, 0.759, 1,
];
const rejected = (pValues: readonly number[], level: number) => falseDiscovery(pValues, level).filter(Boolean).length;

test('rejects the four hypotheses that the paper rejects, of which Bonferroni finds three', () => {
  expect(falseDiscovery(PAPER, 0.05)).toEqual(PAPER.map((p) => p <= 0.0095));
  expect(PAPER.filter((p) => p <= 0.05 / PAPER.length)).toHaveLength(3);
});

test('a larger p-value that is small enough takes smaller ones along', () => {
  expect(falseDiscovery([0.04, 0.03, 0.045], 0.05)).toEqual([true, true, true]);
  expect(falseDiscovery([0.04, 0.03, 0.06], 0.05)).toEqual([false, false, false]);
});

test('nothing asked, nothing rejected', () => {
  expect(falseDiscovery([], 0.05)).toEqual([]);
  expect(falseDiscovery([1], 0.05)).toEqual([false]);
});

test('rejects no less than Bonferroni and no more than each test alone, in any order', () => {
  const pValues = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(pValues, fc.double({ min: 0.001, max: 0.2, noNaN: true }), (given, level) => {
      const found = falseDiscovery(given, level);
      given.forEach((p, i) => {
        if (p <= level / given.length) expect(found[i]).toBe(true);
        if (found[i]) expect(p).toBeLessThanOrEqual(level);
      });
      expect(falseDiscovery([...given].reverse(), level)).toEqual([...found].reverse());
      expect(rejected(given, level / 2)).toBeLessThanOrEqual(rejected(given, level));
    }),
  );
});
