import { exactDistribution } from '../../shared/statistics/exact-distribution.ts';
import { quantileRank } from '../../shared/statistics/quantile-rank.ts';
import { Sketch } from '../../shared/statistics/sketch.ts';
import { SKETCH_BOUND } from '../../shared/statistics/sketch-buckets.ts';
import { DISTRIBUTIONS } from '../unit/statistics/seeded-distributions.ts';
import { sketchOf } from '../unit/statistics/sketch-of.ts';
import type { Bench } from './bench-result.ts';

const ROUNDS = 7;
const VALUES = 1_000_000;
const PASSES = 10;
const MERGES = 20_000;
const MIN_ADDS_PER_SECOND = 20_000_000;
const MAX_MERGE_US = 20;
const QUANTILES = [0.01, 0.05, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999];

interface Figures {
  /** Values added to one sketch per second; median of the rounds. */
  readonly addsPerSecond: number;
  /** One sketch of 350 lognormal values merged into a large one, µs; median of the rounds. */
  readonly mergeMicroseconds: number;
  /** Over all distributions, sizes and quantiles, against the exact answer. */
  readonly maxRelativeError: number;
}

export const statisticsBench: Bench = {
  name: 'statistics',
  run(progress) {
    const values = Int32Array.from(draw('lognormal', VALUES));
    const small = sketchOf(draw('lognormal', 350));
    const adds: number[] = [];
    const merges: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      adds.push(addRound(values));
      merges.push(mergeRound(small, sketchOf(values)));
      progress(`round ${round + 1} of ${ROUNDS}: ${Math.round((adds.at(-1) ?? 0) / 1e6)} million adds a second`);
    }
    const figures: Figures = {
      addsPerSecond: Math.round(median(adds)),
      mergeMicroseconds: median(merges),
      maxRelativeError: largestError(),
    };
    return { figures, misses: missesOf(figures) };
  },
};

function missesOf({ addsPerSecond, mergeMicroseconds, maxRelativeError }: Figures): string[] {
  const misses: string[] = [];
  if (addsPerSecond < MIN_ADDS_PER_SECOND) misses.push(`${addsPerSecond} adds a second, not ${MIN_ADDS_PER_SECOND}`);
  if (mergeMicroseconds > MAX_MERGE_US) misses.push(`${mergeMicroseconds} µs a merge, not ${MAX_MERGE_US}`);
  if (maxRelativeError > SKETCH_BOUND) misses.push(`an error of ${maxRelativeError}, not ${SKETCH_BOUND}`);
  return misses;
}

/** Several passes over one sketch: what is measured is adding, not the array. */
function addRound(values: Int32Array): number {
  const sketch = new Sketch();
  const started = performance.now();
  for (let pass = 0; pass < PASSES; pass++) for (const value of values) sketch.add(value);
  return (sketch.n / (performance.now() - started)) * 1000;
}

function mergeRound(small: Sketch, into: Sketch): number {
  const started = performance.now();
  for (let i = 0; i < MERGES; i++) into.merge(small.state());
  return ((performance.now() - started) / MERGES) * 1000;
}

function largestError(): number {
  let largest = 0;
  for (const { name } of DISTRIBUTIONS) {
    for (const n of [1, 10, 350, 10_000, 100_000]) {
      const values = draw(name, n);
      const exact = exactDistribution(values);
      const sketched = sketchOf(values).build();
      for (const q of QUANTILES) {
        const rank = quantileRank(q, n);
        const truth = exact.valueAtRank(rank);
        if (truth !== 0) largest = Math.max(largest, Math.abs(sketched.valueAtRank(rank) - truth) / truth);
      }
    }
  }
  return largest;
}

function draw(name: string, n: number): number[] {
  const distribution = DISTRIBUTIONS.find((known) => known.name === name);
  if (!distribution) throw new Error(`There is no distribution ${name}.`);
  return distribution.draw(n);
}

function median(values: readonly number[]): number {
  return exactMiddle([...values].sort((a, b) => a - b));
}

function exactMiddle(sorted: readonly number[]): number {
  return sorted[quantileRank(0.5, sorted.length)] ?? Number.NaN;
}
