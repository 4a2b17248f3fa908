import type { Distribution } from './distribution.ts';
import { logDensity } from './log-density.ts';

/** With fewer values, peaks may be random. */
export const MIN_PEAKS_N = 200;
/** A peak has at least this share of the tallest one's height as prominence; anything less is a ripple. */
export const MIN_PROMINENCE = 0.1;

export interface Peak {
  /** Where the density is highest, in the unit of the values. */
  readonly at: number;
  /** Share of the values between the adjacent valleys, 0 … 1. */
  readonly share: number;
  /** Height above the higher of the two valleys that separate it from taller peaks, as a share of the tallest peak. */
  readonly prominence: number;
}

/**
 * The modes of the density on a logarithmic axis, from left to right: requests with different fates (reused, newly
 * connected, resent after a second) form separate peaks there. null below 200 values above 0.
 *
 * @param resolution the clock step behind the values, in their unit: values are spread over it, or each step of a coarse
 * clock would be a peak
 */
export function peaks(distribution: Distribution, resolution: number): readonly Peak[] | null {
  const density = logDensity(distribution, resolution);
  if (density === null || density.n < MIN_PEAKS_N) return null;
  const { heights, positionOf } = density;
  const tallest = Math.max(...heights);
  const tops = localMaxima(heights).filter((at) => prominence(heights, at) >= MIN_PROMINENCE * tallest);
  const total = heights.reduce((sum, height) => sum + height, 0);
  const edges = [0, ...tops.slice(1).map((top, i) => lowestBetween(heights, tops[i] ?? 0, top)), heights.length];
  return tops.map((top, i) => ({
    at: positionOf(top),
    share: heights.slice(edges[i], edges[i + 1]).reduce((sum, height) => sum + height, 0) / total,
    prominence: prominence(heights, top) / tallest,
  }));
}

/** A plateau counts once, at its beginning. */
function localMaxima(heights: readonly number[]): number[] {
  const maxima: number[] = [];
  for (let i = 0; i < heights.length; i++) {
    const height = heights[i] as number;
    if (height <= (heights[i - 1] ?? 0)) continue;
    let end = i;
    while (heights[end + 1] === height) end++;
    if ((heights[end + 1] ?? 0) < height) maxima.push(i);
    i = end;
  }
  return maxima;
}

/** How far one has to descend from a peak before climbing a taller one; outside the axis is 0. */
function prominence(heights: readonly number[], at: number): number {
  const height = heights[at] as number;
  return height - Math.max(keyCol(heights, at, -1), keyCol(heights, at, 1));
}

function keyCol(heights: readonly number[], at: number, step: 1 | -1): number {
  const height = heights[at] as number;
  let lowest = height;
  for (let i = at + step; i >= 0 && i < heights.length; i += step) {
    const here = heights[i] as number;
    // Of two peaks of equal height the left one counts as taller, so that one of them keeps its prominence.
    if (here > height || (here === height && step === -1 && lowest < height)) return lowest;
    lowest = Math.min(lowest, here);
  }
  return 0;
}

function lowestBetween(heights: readonly number[], from: number, to: number): number {
  let lowest = from;
  for (let i = from; i <= to; i++) if ((heights[i] as number) < (heights[lowest] as number)) lowest = i;
  return lowest;
}
