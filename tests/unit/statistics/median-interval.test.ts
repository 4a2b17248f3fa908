import { expect, test } from 'vitest';
import { exactDistribution } from '../../../shared/statistics/exact-distribution.ts';
import { medianInterval, medianIntervalRanks } from '../../../shared/statistics/median-interval.ts';
import { seededRandom } from '../../../shared/statistics/seeded-random.ts';
import { normal } from './seeded-distributions.ts';

/** The largest l with P(B ≤ l) ≤ 2.5 %, in whole numbers: Σ C(n, i) · 40 ≤ 2ⁿ. */
function exactLowRank(n: number): number {
  const all = 1n << BigInt(n);
  let term = 1n;
  let sum = 1n;
  let low = -1;
  for (let k = 0; sum * 40n <= all; k++) {
    low = k;
    term = (term * BigInt(n - k)) / BigInt(k + 1);
    sum += term;
  }
  return low;
}

test('no interval below six samples, the full range at six', () => {
  expect(medianIntervalRanks(5)).toBeNull();
  expect(medianIntervalRanks(6)).toEqual([0, 5]);
  expect(medianInterval(exactDistribution([1, 2, 3, 4, 5]))).toBeNull();
  expect(medianInterval(exactDistribution([9, 2, 3, 4, 5, 1]))).toEqual([1, 9]);
});

test('the ranks are those of the exact binomial, also where the sum becomes a search', () => {
  const sizes = [...Array.from({ length: 300 }, (_, i) => i + 6), 998, 999, 1000, 1001, 1002, 1234, 2000, 5001, 9999];
  for (const n of sizes) expect([n, medianIntervalRanks(n)?.[0]]).toEqual([n, exactLowRank(n)]);
});

test('a million samples are no slower to rank and stay at 1.96 standard errors', () => {
  const ranks = medianIntervalRanks(1_000_000);
  expect(Math.abs((ranks?.[0] ?? 0) - (500_000 - 980))).toBeLessThanOrEqual(2);
  expect((ranks?.[0] ?? 0) + (ranks?.[1] ?? 0)).toBe(999_999);
});

test('it covers the true median in at least 95 % of repetitions', () => {
  const random = seededRandom(7);
  let covered = 0;
  for (let i = 0; i < 2000; i++) {
    const values = Array.from({ length: 25 }, () => Math.round(100_000 * Math.exp(0.7 * normal(random))));
    const [low, high] = medianInterval(exactDistribution(values)) ?? [0, 0];
    if (low <= 100_000 && 100_000 <= high) covered++;
  }
  // 25 samples: ranks 7 and 17 cover 95.7 %; three standard errors of 2,000 repetitions are 1.4 %.
  expect(covered / 2000).toBeGreaterThan(0.943);
  expect(covered / 2000).toBeLessThan(0.971);
});
