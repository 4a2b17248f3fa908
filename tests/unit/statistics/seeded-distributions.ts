import { seededRandom } from '../../../shared/statistics/seeded-random.ts';

interface SeededDistribution {
  readonly name: string;
  /** @returns `n` times in whole µs, the same ones every time */
  draw(n: number): number[];
}

const DAY = 24 * 3600 * 1e6;

/** Shapes that real times have, and some that break sketches. */
export const DISTRIBUTIONS: readonly SeededDistribution[] = [
  shape('constant', () => 12_345),
  shape('uniform', (random) => random() * 500_000),
  shape('lognormal', (random) => 80_000 * Math.exp(0.6 * normal(random))),
  shape('heavy tail', (random) => 20_000 / (1 - random()) ** 0.9),
  shape('bimodal', (random) => (random() < 0.7 ? 20_000 : 180_000) * Math.exp(0.1 * normal(random))),
  shape('trimodal', (random) => pick(random, [20_000, 66_000, 1_100_000]) * Math.exp(0.08 * normal(random))),
  shape('tiny', (random) => random() * 200),
  shape('whole milliseconds', (random) => Math.round(8 * Math.exp(0.5 * normal(random))) * 1000),
  shape('close all-new connections', (random) =>
    random() < 0.02 ? 1_050_000 + random() * 2e6 : 66_000 + 7_000 * normal(random),
  ),
  shape('up to a day', (random) => DAY * random() ** 6),
  shape('almost all zero', (random) => (random() < 0.96 ? 0 : 90_000 * random())),
];

function shape(name: string, value: (random: () => number) => number): SeededDistribution {
  return {
    name,
    draw: (n) => {
      const random = seededRandom(name.length * 1000 + n);
      return Array.from({ length: n }, () => Math.min(DAY, Math.max(0, Math.round(value(random)))));
    },
  };
}

/** Box and Muller's method. */
export function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

function pick(random: () => number, values: readonly [number, ...number[]]): number {
  return values[Math.floor(random() * values.length)] ?? values[0];
}
