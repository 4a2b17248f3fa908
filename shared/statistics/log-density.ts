import type { Distribution } from './distribution.ts';
import { quantileRank } from './quantile-rank.ts';

/** Steps of the axis per unit of ln, about 1 % each. */
const STEPS = 100;
/** No kernel is narrower than two buckets of the sketch, so that exact values and sketch show the same peaks. */
const MIN_BANDWIDTH = 0.03;
/** Beyond four standard deviations a kernel adds nothing visible. */
const KERNEL_REACH = 4;
/** Width of the shortest interval that contains a quarter of a normal distribution, in standard deviations. */
const SHORTEST_QUARTER = 0.637;
const QUARTILES_APART = 1.349;

export interface LogDensity {
  /** Number of values above 0; the others are not on the axis. */
  readonly n: number;
  /** Density at each step of the axis, in values per step. */
  readonly heights: readonly number[];
  /** The value at a step, in the unit of the values. */
  positionOf(step: number): number;
}

/**
 * Kernel density of ln x with a Gaussian kernel. Silverman's width 0.9 · s · n^(−1/5), where s is the smallest of three
 * estimates of the spread: with several distant peaks the standard deviation measures their distance, and only the shortest
 * quarter of the values measures the width of one.
 */
export function logDensity(distribution: Distribution, resolution: number): LogDensity | null {
  const { n, min, max } = distribution;
  const above = n === 0 ? 0 : distribution.countAbove(0);
  if (min === null || max === null || above === 0) return null;
  const half = Math.max(resolution, 1) / 2;
  const smallest = Math.max(distribution.valueAtRank(Math.min(n - above, n - 1)), 1);
  const width = bandwidth(distribution, n - above, above);
  const start = Math.log(Math.max(smallest - half, 0.5)) - KERNEL_REACH * width;
  const end = Math.log(max + half) + KERNEL_REACH * width;
  const mass = new Float64Array(Math.ceil((end - start) * STEPS) + 1);
  for (const bin of distribution.bins()) {
    if (bin.to <= 1) continue;
    const from = Math.log(Math.max(Math.max(bin.from, 1) - half, 0.5));
    spread(mass, (from - start) * STEPS, (Math.log(bin.to - 1 + half) - start) * STEPS, bin.count);
  }
  return {
    n: above,
    heights: smooth(mass, width * STEPS),
    positionOf: (step) => Math.exp(start + (step + 0.5) / STEPS),
  };
}

function bandwidth(distribution: Distribution, zeros: number, n: number): number {
  const at = (rank: number) => Math.log(Math.max(distribution.valueAtRank(zeros + rank), 1));
  const quartiles = (at(quantileRank(0.75, n)) - at(quantileRank(0.25, n))) / QUARTILES_APART;
  const spread = Math.min(deviation(distribution), quartiles, shortestQuarter(at, n) / SHORTEST_QUARTER);
  return Math.max(MIN_BANDWIDTH, 0.9 * spread * n ** -0.2);
}

/** At no more than 256 positions, which is enough for a kernel's width. */
function shortestQuarter(at: (rank: number) => number, n: number): number {
  const quarter = Math.floor(n / 4);
  const stride = Math.max(1, Math.floor(n / 256));
  let shortest = Number.POSITIVE_INFINITY;
  for (let low = 0; low + quarter < n; low += stride) shortest = Math.min(shortest, at(low + quarter) - at(low));
  return shortest;
}

function deviation(distribution: Distribution): number {
  let n = 0;
  let sum = 0;
  let squares = 0;
  for (const { from, to, count } of distribution.bins()) {
    if (to <= 1) continue;
    const position = Math.log((Math.max(from, 1) + to - 1) / 2);
    n += count;
    sum += count * position;
    squares += count * position * position;
  }
  return Math.sqrt(Math.max(0, squares / n - (sum / n) ** 2));
}

/** Spreads a count evenly over [from, to) in steps of the axis. */
function spread(mass: Float64Array, from: number, to: number, count: number): void {
  const last = Math.min(Math.floor(to), mass.length - 1);
  const width = Math.max(to - from, 1e-9);
  for (let i = Math.floor(from); i <= last; i++) {
    const covered = Math.min(to, i + 1) - Math.max(from, i);
    mass[i] = (mass[i] as number) + (count * Math.max(covered, 0)) / width;
  }
}

function smooth(mass: Float64Array, width: number): number[] {
  const reach = Math.ceil(KERNEL_REACH * width);
  const kernel = Array.from({ length: 2 * reach + 1 }, (_, i) => Math.exp(-0.5 * ((i - reach) / width) ** 2));
  const whole = kernel.reduce((sum, weight) => sum + weight, 0);
  const heights = new Array<number>(mass.length).fill(0);
  for (let i = 0; i < mass.length; i++) {
    const here = mass[i] as number;
    if (here === 0) continue;
    for (let k = Math.max(0, reach - i); k < kernel.length && i + k - reach < mass.length; k++) {
      heights[i + k - reach] = (heights[i + k - reach] as number) + (here * (kernel[k] as number)) / whole;
    }
  }
  return heights;
}
