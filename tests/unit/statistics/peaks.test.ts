import { expect, test } from 'vitest';
import { exactDistribution } from '../../../shared/statistics/exact-distribution.ts';
import { type Peak, peaks } from '../../../shared/statistics/peaks.ts';
import { seededRandom } from '../../../shared/statistics/seeded-random.ts';
import { DISTRIBUTIONS, normal } from './seeded-distributions.ts';
import { sketchOf } from './sketch-of.ts';

const CLOCK_STEP = 100;

function drawn(name: string, n: number): number[] {
  return DISTRIBUTIONS.find((shape) => shape.name === name)?.draw(n) ?? [];
}

function places(found: readonly Peak[] | null): number[] {
  return (found ?? []).map(({ at }) => at);
}

test('three fates show three peaks, where they are and how many met each, exact and sketched', () => {
  const values = drawn('trimodal', 2000);
  for (const distribution of [exactDistribution(values), sketchOf(values).build()]) {
    const found = peaks(distribution, CLOCK_STEP);
    const expected = [20_000, 66_000, 1_100_000];
    expect(found).toHaveLength(3);
    places(found).forEach((at, i) => {
      expect(Math.abs(at / (expected[i] ?? 0) - 1)).toBeLessThan(0.03);
    });
    for (const { share } of found ?? []) expect(Math.abs(share - 1 / 3)).toBeLessThan(0.05);
  }
});

test.each(['constant', 'uniform', 'lognormal', 'heavy tail'])('%s has one', (name) => {
  for (const n of [200, 1000, 10_000]) expect(peaks(exactDistribution(drawn(name, n)), CLOCK_STEP)).toHaveLength(1);
});

test('below 200 values nothing is said, values of 0 not counted', () => {
  expect(peaks(exactDistribution(drawn('trimodal', 199)), CLOCK_STEP)).toBeNull();
  expect(peaks(exactDistribution([...drawn('trimodal', 199), 0, 0]), CLOCK_STEP)).toBeNull();
  expect(peaks(exactDistribution(drawn('trimodal', 200)), CLOCK_STEP)).not.toBeNull();
});

test('a second peak counts where its counts are more than chance, however small it is beside the first', () => {
  const group = (n: number, centre: number) => {
    const random = seededRandom(n);
    return Array.from({ length: n }, () => Math.round(centre * Math.exp(0.1 * normal(random))));
  };
  // 4 standard errors over an empty valley: 16 values within the kernel, of which 25 with a deviation of 10 % have less.
  expect(peaks(exactDistribution([...group(5000, 50_000), ...group(25, 900_000)]), CLOCK_STEP)).toHaveLength(1);
  expect(peaks(exactDistribution([...group(5000, 50_000), ...group(100, 900_000)]), CLOCK_STEP)).toHaveLength(2);
});

test('a peak of less than a thousandth is none', () => {
  const values = (slow: number) => [...Array<number>(40_000).fill(50_000), ...Array<number>(slow).fill(900_000)];
  expect(peaks(exactDistribution(values(39)), CLOCK_STEP)).toHaveLength(1);
  expect(peaks(exactDistribution(values(41)), CLOCK_STEP)).toHaveLength(2);
});

test('the steps of a coarse clock are not peaks', () => {
  const random = seededRandom(11);
  const values = Array.from({ length: 5000 }, () => Math.round(6 * Math.exp(0.4 * normal(random))) * 1000);
  expect(peaks(exactDistribution(values), 1000)).toHaveLength(1);
});

test('pauses longer than a sketch can hold do not count', () => {
  const values = drawn('trimodal', 2000);
  const weekend = 60 * 3_600_000_000;
  const found = peaks(exactDistribution([...values, weekend, 2 * weekend]), CLOCK_STEP);
  expect(places(found)).toEqual(places(peaks(exactDistribution(values), CLOCK_STEP)));
});
