import type { Distribution, DistributionBin } from './distribution.ts';
import { quantileRank } from './quantile-rank.ts';

/** Steps of the axis per standard deviation of the kernel: between two of them a density hardly changes. */
const STEPS_PER_WIDTH = 3;
/** No kernel is narrower than two buckets of the sketch, so that exact values and sketch show the same peaks. */
const MIN_BANDWIDTH = 0.03;
/** Beyond four standard deviations a kernel adds nothing visible. */
const KERNEL_REACH = 4;
const KERNEL = gaussianKernel();
/** Width of the shortest interval that contains a quarter of a normal distribution, in standard deviations. */
const SHORTEST_QUARTER = 0.637;
const QUARTILES_APART = 1.349;

export interface LogDensity {
  /** Number of values above 0; the others are not on the axis. */
  readonly n: number;
  /** Density at each step of the axis, in values per step. */
  readonly heights: Float64Array;
  /** The kernel's standard deviation, in steps. */
  readonly width: number;
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
  const bins = distribution.bins().filter(({ to }) => to > 1);
  const spans = bins.map((bin) => spanOf(bin, half));
  const width = Math.max(MIN_BANDWIDTH, 0.9 * spreadOf(distribution, bins, spans, above) * above ** -0.2);
  const start = (spans[0]?.from ?? 0) - KERNEL_REACH * width;
  const end = Math.log(max + half) + KERNEL_REACH * width;
  const steps = STEPS_PER_WIDTH / width;
  const mass = new Float64Array(Math.ceil((end - start) * steps) + 1);
  for (const { from, to, count } of spans) spread(mass, (from - start) * steps, (to - start) * steps, count);
  return {
    n: above,
    heights: smooth(mass),
    width: STEPS_PER_WIDTH,
    positionOf: (step) => Math.exp(start + (step + 0.5) / steps),
  };
}

/** Where on the axis the values of a bin may lie: each is known to half a clock step. */
function spanOf({ from, to, count }: DistributionBin, half: number): DistributionBin {
  return { from: Math.log(Math.max(Math.max(from, 1) - half, 0.5)), to: Math.log(to - 1 + half), count };
}

/** The smallest of the three estimates. @param n values above 0 */
function spreadOf(
  distribution: Distribution,
  bins: readonly DistributionBin[],
  spans: readonly DistributionBin[],
  n: number,
): number {
  const at = (q: number) => Math.max(distribution.valueAtRank(distribution.n - n + quantileRank(q, n)), 1);
  const quartiles = Math.log(at(0.75) / at(0.25)) / QUARTILES_APART;
  return Math.min(deviation(spans), quartiles, shortestQuarter(bins, n) / SHORTEST_QUARTER);
}

/** From the first value of each bin: from its later ones a quarter reaches no less far. */
function shortestQuarter(bins: readonly DistributionBin[], n: number): number {
  const quarter = Math.floor(n / 4);
  let shortest = Number.POSITIVE_INFINITY;
  let before = 0;
  let end = 0;
  let reached = 0;
  for (const bin of bins) {
    while (reached <= before + quarter && end < bins.length) reached += bins[end++]?.count ?? 0;
    if (reached <= before + quarter) break;
    shortest = Math.min(shortest, middleOf(bins[end - 1] as DistributionBin) / middleOf(bin));
    before += bin.count;
  }
  return Math.log(shortest);
}

function middleOf({ from, to }: DistributionBin): number {
  return (from + to - 1) / 2;
}

function deviation(spans: readonly DistributionBin[]): number {
  let n = 0;
  let sum = 0;
  let squares = 0;
  for (const { from, to, count } of spans) {
    const position = (from + to) / 2;
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

/** Half of it, from the centre on; the whole sums to 1. */
function gaussianKernel(): Float64Array {
  const half = Float64Array.from({ length: KERNEL_REACH * STEPS_PER_WIDTH + 1 }, (_, step) =>
    Math.exp(-0.5 * (step / STEPS_PER_WIDTH) ** 2),
  );
  const whole = half.reduce((sum, weight, step) => sum + (step === 0 ? 1 : 2) * weight, 0);
  return half.map((weight) => weight / whole);
}

/** Every summary's cell is smoothed: half a kernel, and one store per step. */
function smooth(mass: Float64Array): Float64Array {
  const reach = KERNEL.length - 1;
  const padded = new Float64Array(mass.length + 2 * reach);
  padded.set(mass, reach);
  const heights = new Float64Array(mass.length);
  for (let i = 0; i < heights.length; i++) {
    const centre = i + reach;
    let sum = (KERNEL[0] as number) * (padded[centre] as number);
    for (let k = 1; k <= reach; k++) {
      sum += (KERNEL[k] as number) * ((padded[centre - k] as number) + (padded[centre + k] as number));
    }
    heights[i] = sum;
  }
  return heights;
}
