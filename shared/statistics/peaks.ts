import type { Distribution } from './distribution.ts';
import { type LogDensity, logDensity } from './log-density.ts';
import { asSketch } from './sketch.ts';

/** With fewer values, peaks may be random. */
export const MIN_PEAKS_N = 200;
/** A peak rises above the valley beside it by at least this many standard errors of the counts. */
export const MIN_RISE = 4;
/** A peak holds at least this share of the values. */
export const MIN_PEAK_SHARE = 0.001;

export interface Peak {
  /** Where the density is highest, in the unit of the values. */
  readonly at: number;
  /** Share of the values between the adjacent valleys, 0 … 1. */
  readonly share: number;
  /** Height above the higher of the two valleys that separate it from taller peaks, as a share of the tallest peak. */
  readonly prominence: number;
}

/** The modes of a density and the valleys between them, as steps of its axis. */
export interface Modes {
  readonly density: LogDensity;
  /** From left to right; at least one. */
  readonly tops: readonly number[];
  /** The lowest step between each mode and the next: one fewer. */
  readonly valleys: readonly number[];
}

/**
 * The modes of the density on a logarithmic axis, from left to right: requests with different fates (reused, newly
 * connected, resent after a second) form separate peaks there. null below 200 values above 0.
 *
 * @param resolution the clock step behind the values, in their unit: values are spread over it, or each step of a coarse
 * clock would be a peak
 */
export function peaks(distribution: Distribution, resolution: number): readonly Peak[] | null {
  const modes = findModes(distribution, resolution);
  if (modes === null) return null;
  const { density, tops, valleys } = modes;
  const { heights, positionOf } = density;
  const tallest = highest(heights);
  const shares = sharesOf(heights, valleys);
  return tops.map((top, i) => ({
    at: positionOf(top),
    share: shares[i] ?? 0,
    prominence: (height(heights, top) - keyCol(heights, top)) / tallest,
  }));
}

/**
 * The significant modes. Their number depends on the counts, not on a share of the tallest: a second population of a few
 * percent, which is what lifts an average, is never a tenth as high as the first. Exact values are put into the sketch's
 * buckets first, so that both have the same modes.
 */
export function findModes(distribution: Distribution, resolution: number): Modes | null {
  if (distribution.n < MIN_PEAKS_N) return null;
  const density = logDensity(asSketch(distribution), resolution);
  if (density === null || density.n < MIN_PEAKS_N) return null;
  const { heights } = density;
  const all = localMaxima(heights).filter((top) => isSignificant(density, top));
  const shares = sharesOf(heights, valleysBetween(heights, all));
  const tops = all.filter((_, i) => (shares[i] ?? 0) >= MIN_PEAK_SHARE);
  return { density, tops, valleys: valleysBetween(heights, tops) };
}

/** The density whose window holds a single value. A Gaussian kernel averages over 2√π of its widths. */
export function heightOfOne({ width }: LogDensity): number {
  return 1 / (2 * Math.sqrt(Math.PI) * width);
}

/** Counts vary by their root, so the variance of a height is the height × that of a single value. */
function isSignificant(density: LogDensity, top: number): boolean {
  const { heights } = density;
  const peak = height(heights, top);
  const valley = keyCol(heights, top);
  return peak - valley >= MIN_RISE * Math.sqrt((peak + valley) * heightOfOne(density));
}

function valleysBetween(heights: Float64Array, tops: readonly number[]): number[] {
  return tops.slice(1).map((top, i) => lowestBetween(heights, tops[i] ?? 0, top));
}

/** Of the values between one valley and the next. */
function sharesOf(heights: Float64Array, valleys: readonly number[]): number[] {
  if (valleys.length === 0) return [1];
  const edges = [0, ...valleys, heights.length];
  const sum = (from: number, to: number) => heights.subarray(from, to).reduce((total, each) => total + each, 0);
  const whole = sum(0, heights.length);
  return edges.slice(1).map((to, i) => sum(edges[i] ?? 0, to) / whole);
}

function height(heights: Float64Array, at: number): number {
  return heights[at] as number;
}

function highest(heights: Float64Array): number {
  return heights.reduce((most, each) => Math.max(most, each), 0);
}

/** A plateau counts once, at its beginning. */
function localMaxima(heights: Float64Array): number[] {
  const maxima: number[] = [];
  for (let i = 0; i < heights.length; i++) {
    const here = height(heights, i);
    if (here <= (heights[i - 1] ?? 0)) continue;
    let end = i;
    while (heights[end + 1] === here) end++;
    if ((heights[end + 1] ?? 0) < here) maxima.push(i);
    i = end;
  }
  return maxima;
}

/** How low one has to descend from a peak before climbing a taller one; outside the axis is 0. */
function keyCol(heights: Float64Array, at: number): number {
  return Math.max(lowestBeforeTaller(heights, at, -1), lowestBeforeTaller(heights, at, 1));
}

function lowestBeforeTaller(heights: Float64Array, at: number, step: 1 | -1): number {
  const peak = height(heights, at);
  let lowest = peak;
  for (let i = at + step; i >= 0 && i < heights.length; i += step) {
    const here = height(heights, i);
    // Of two peaks of equal height the left one counts as taller, so that one of them keeps its prominence.
    if (here > peak || (here === peak && step === -1 && lowest < peak)) return lowest;
    lowest = Math.min(lowest, here);
  }
  return 0;
}

function lowestBetween(heights: Float64Array, from: number, to: number): number {
  let lowest = from;
  for (let i = from; i <= to; i++) if (height(heights, i) < height(heights, lowest)) lowest = i;
  return lowest;
}
