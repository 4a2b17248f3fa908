import { describe, expect, test } from 'vitest';
import { exactDistribution } from '../../../shared/statistics/exact-distribution.ts';
import { seededRandom } from '../../../shared/statistics/seeded-random.ts';
import { bucketStart, toBucket } from '../../../shared/statistics/sketch-buckets.ts';
import { slowThreshold } from '../../../shared/statistics/slow-threshold.ts';
import { DISTRIBUTIONS, normal } from './seeded-distributions.ts';
import { sketchOf } from './sketch-of.ts';

const CLOCK_STEP = 100;

/** Seeded lognormal times around a centre, µs. */
function around(n: number, centre: number, spread: number): number[] {
  const random = seededRandom(n + centre);
  return Array.from({ length: n }, () => Math.round(centre * Math.exp(spread * normal(random))));
}

const beyond = (values: readonly number[]) => {
  const threshold = slowThreshold(exactDistribution(values), CLOCK_STEP);
  return { ...threshold, slow: values.filter((value) => value >= (threshold?.from ?? 0)).length };
};

describe('a slow population of its own', () => {
  test('begins in the valley before it, however small it is beside the first', () => {
    const found = beyond([...around(20_000, 80_000, 0.3), ...around(900, 1_300_000, 0.15)]);
    expect(found.by).toBe('valley');
    expect(found.slow).toBe(900);
    expect(found.from).toBeGreaterThan(400_000);
    expect(found.from).toBeLessThan(1_000_000);
  });

  test('of several steps, begins before the first: the lowest valley may be a later one', () => {
    const resent = [...around(800, 1_100_000, 0.1), ...around(100, 3_100_000, 0.04)];
    // Requests between the main mode and 1 s keep the first valley from being the lowest.
    const found = beyond([...around(20_000, 80_000, 0.3), ...around(150, 500_000, 0.3), ...resent]);
    expect(found.from).toBeLessThan(1_000_000);
    expect(found.slow).toBeGreaterThanOrEqual(900);
  });

  test('is not a ripple beside the main mode if a deeper valley follows', () => {
    const found = beyond([...around(20_000, 80_000, 0.1), ...around(6_000, 130_000, 0.1), ...around(900, 2e6, 0.1)]);
    expect(found.slow).toBe(900);
  });

  test('holds at least a thousandth and at most 40 %', () => {
    const share = (slow: number) => [...around(10_000 - slow, 80_000, 0.1), ...around(slow, 2_000_000, 0.1)];
    const few = (slow: number) => [...around(40_000, 80_000, 0.1), ...Array<number>(slow).fill(2_000_000)];
    expect(beyond(few(39)).by).toBe('far_fence');
    expect(beyond(few(42)).by).toBe('valley');
    expect(beyond(share(3_900)).by).toBe('valley');
    expect(beyond(share(4_200)).by).toBe('far_fence');
  });

  test('needs 200 values', () => {
    const values = (n: number) => [...around(n - 40, 80_000, 0.1), ...around(40, 2_000_000, 0.02)];
    expect(beyond(values(199)).by).toBe('far_fence');
    expect(beyond(values(200)).by).toBe('valley');
  });
});

describe("without one, Tukey's far fence on the logarithmic axis", () => {
  test('Q3 · (Q3 / Q1)³, to the next edge of a bucket', () => {
    // Quartiles of 40 and 80 µs, each half a clock step of 1 µs further out: 80.5 · (80.5 / 39.5)³ ≈ 681.4.
    const values = [...Array<number>(30).fill(40), ...Array<number>(70).fill(80)];
    expect(slowThreshold(exactDistribution(values), 1)).toEqual({ from: 688, by: 'far_fence' });
    expect(slowThreshold(exactDistribution([...values, 687]), 1)?.from).toBe(688);
    expect(slowThreshold(exactDistribution([...values, 688]), 1)?.from).toBe(688);
  });

  test('is raised to the first value beyond it', () => {
    const values = [...Array<number>(30).fill(40), ...Array<number>(70).fill(80), 100_000];
    expect(slowThreshold(exactDistribution(values), 1)?.from).toBe(bucketStart(toBucket(100_000)));
  });

  test('may have nobody beyond it', () => {
    expect(beyond(around(5_000, 80_000, 0.6)).slow).toBe(0);
  });

  test('equal values are ordinary, the first that differs clearly is slow', () => {
    expect(beyond(Array<number>(50).fill(80_000)).slow).toBe(0);
    expect(beyond([...Array<number>(50).fill(80_000), 90_000]).slow).toBe(1);
  });
});

test('no values have no threshold', () => {
  expect(slowThreshold(exactDistribution([]), CLOCK_STEP)).toBeNull();
});

test.each(DISTRIBUTIONS.map(({ name, draw }) => [name, draw] as const))(
  '%s: a sketch has the same threshold, and counts the same values beyond it',
  (_name, draw) => {
    for (const n of [3, 199, 2_000, 20_000]) {
      const values = draw(n);
      const exact = exactDistribution(values);
      const sketch = sketchOf(values).build();
      const threshold = slowThreshold(exact, CLOCK_STEP);
      expect(slowThreshold(sketch, CLOCK_STEP)).toEqual(threshold);
      const last = (threshold?.from ?? 0) - 1;
      expect(sketch.countAbove(last)).toBe(exact.countAbove(last));
    }
  },
);

test('a single population is not divided by chance', () => {
  for (let seed = 1; seed <= 60; seed++) {
    const random = seededRandom(seed);
    const n = [300, 3_000, 20_000][seed % 3] ?? 300;
    const spread = [0.2, 0.5, 1][Math.floor(seed / 3) % 3] ?? 1;
    const values = Array.from({ length: n }, () => Math.round(80_000 * Math.exp(spread * normal(random))));
    expect(slowThreshold(exactDistribution(values), CLOCK_STEP)?.by).toBe('far_fence');
  }
});
