import type { Distribution } from './distribution.ts';
import { findModes, heightOfOne } from './peaks.ts';
import { quantileRank } from './quantile-rank.ts';
import { asSketch } from './sketch.ts';
import { bucketStart, MAX_SKETCH_VALUE, toBucket } from './sketch-buckets.ts';

/** The share of values beyond a valley that are a slow group: fewer are chance, more are not the exception. */
export const MIN_SLOW_SHARE = 0.001;
export const MAX_SLOW_SHARE = 0.4;
/** Tukey's far fence: this many interquartile ranges above the third quartile. */
export const FAR_FENCE = 3;

export interface SlowThreshold {
  /** Values from here on are slow. The start of a bucket of the sketch, so that a sketch counts them exactly. */
  readonly from: number;
  /** Whether slow values are a population of their own beyond a valley, or only far beyond the quartiles. */
  readonly by: 'valley' | 'far_fence';
}

/**
 * Where slow values begin: the valley between the main mode of the log density and another mode to its right, or, without
 * one, Tukey's far fence on the logarithmic axis. Exact values and their sketch have the same threshold.
 *
 * @param resolution the clock step behind the values, in their unit
 * @returns null without values
 */
export function slowThreshold(distribution: Distribution, resolution: number): SlowThreshold | null {
  if (distribution.n === 0) return null;
  const sketch = asSketch(distribution);
  const valley = deepestValley(sketch, resolution);
  const from = valley ?? nextBucketStart(farFence(sketch, resolution));
  return { from: firstFrom(sketch, from), by: valley === null ? 'far_fence' : 'valley' };
}

/** The same values are beyond it, and "over 1 s" says more than "over 0.2 s". */
function firstFrom(sketch: Distribution, from: number): number {
  const beyond = sketch.countAbove(from - 1);
  return beyond === 0 ? from : bucketStart(toBucket(Math.floor(sketch.valueAtRank(sketch.n - beyond))));
}

/**
 * The valley that is lowest relative to the mode beyond it. With several slow modes (packets resent after 1, 3 and 7 s)
 * the lowest of all can lie between the last two, which leaves most slow values on the ordinary side.
 */
function deepestValley(sketch: Distribution, resolution: number): number | null {
  const modes = findModes(sketch, resolution);
  if (modes === null) return null;
  const { density, tops, valleys } = modes;
  const heightAt = (step: number) => density.heights[step] as number;
  const one = heightOfOne(density);
  const main = tops.reduce((tallest, top, i) => (heightAt(top) > heightAt(tops[tallest] as number) ? i : tallest), 0);
  let deepest: number | null = null;
  let most = 0;
  for (let i = main; i < valleys.length; i++) {
    const valley = valleys[i] as number;
    const from = nextBucketStart(density.positionOf(valley));
    const share = sketch.countAbove(from - 1) / sketch.n;
    if (share < MIN_SLOW_SHARE || share > MAX_SLOW_SHARE) continue;
    const beyond = Math.max(...tops.slice(i + 1).map(heightAt));
    // Below one value, an emptier valley means nothing.
    const depth = beyond / Math.max(heightAt(valley), one);
    if (depth > most) {
      most = depth;
      deepest = from;
    }
  }
  return deepest;
}

/** Values are known to half a clock step, so equal quartiles are still a step apart. */
function farFence(sketch: Distribution, resolution: number): number {
  const half = Math.max(resolution, 1) / 2;
  const quartile = (q: number) => sketch.valueAtRank(quantileRank(q, sketch.n));
  const high = Math.max(quartile(0.75), half) + half;
  const low = Math.max(quartile(0.25) - half, half);
  return high * (high / low) ** FAR_FENCE;
}

function nextBucketStart(value: number): number {
  const whole = Math.min(Math.ceil(value), MAX_SKETCH_VALUE);
  const bucket = toBucket(whole);
  return bucketStart(bucket) === whole ? whole : bucketStart(bucket + 1);
}
