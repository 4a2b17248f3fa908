import { quantileRank } from './quantile-rank.ts';
import { quickselect } from './quickselect.ts';

/** What was measured of one kind of request, day by day; days without any are absent. */
export type KindDays = readonly {
  /** Index of the day, from 0. */
  readonly day: number;
  /** Ascending, at least one. */
  readonly sorted: Float64Array;
}[];

export interface MixedDay {
  readonly n: number;
  readonly median: number;
  readonly mean: number;
}

/** A kind's own values of a day count as many times as there are; what the whole day says of it counts like this many. */
const WHOLE_DAY_COUNTS = 5;

/**
 * What a day would have been with the same mix of kinds every day: each kind's median or mean of the day, weighted by the kind's
 * share of all days (direct standardization; K. J. Rothman et al., Modern Epidemiology, chapter 3). A day with more of the
 * slow kinds is then no slower day, and what kinds differ by is no noise.
 *
 * A kind has few values on a day, or none: its value is drawn towards its level times the day's factor, which is what all
 * values of the day are compared with the levels of their kinds (indirect standardization), as empirical Bayes does.
 *
 * @param floor levels below count as this one, such as the clock step; above 0
 * @returns for each day; null for one without values
 */
export function fixedMix(kinds: readonly KindDays[], days: number, floor: number): (MixedDay | null)[] {
  const levels = kinds.map((kind) => levelsOf(kind, floor));
  const total = levels.reduce((sum, { n }) => sum + n, 0);
  const ofDays = Array.from({ length: days }, (): { kind: number; sorted: Float64Array }[] => []);
  for (const [kind, own] of kinds.entries()) for (const { day, sorted } of own) ofDays[day]?.push({ kind, sorted });
  return ofDays.map((present): MixedDay | null => {
    const n = present.reduce((sum, { sorted }) => sum + sorted.length, 0);
    if (n === 0) return null;
    const ratios = new Float64Array(n);
    let [at, sum, expected] = [0, 0, 0];
    for (const { kind, sorted } of present) {
      const { median, mean } = levels[kind] as Levels;
      for (const value of sorted) {
        ratios[at++] = value / median;
        sum += value;
      }
      expected += mean * sorted.length;
    }
    const factor = { median: quickselect(ratios, quantileRank(0.5, n)), mean: sum / expected };
    // Of each kind as if it had no values of the day; then corrected by those that have.
    const mixed = { median: 0, mean: 0 };
    for (const { n: all, median, mean } of levels) {
      mixed.median += (all / total) * median * factor.median;
      mixed.mean += (all / total) * mean * factor.mean;
    }
    for (const { kind, sorted } of present) {
      const { n: all, median, mean } = levels[kind] as Levels;
      const own = sorted.length / (sorted.length + WHOLE_DAY_COUNTS);
      const typical = median * factor.median;
      // Medians of few values are skewed: they are drawn on the scale of logarithms, on which they are not.
      const drawn = typical * (Math.max(middleOf(sorted), floor) / Math.max(typical, floor)) ** own;
      mixed.median += (all / total) * (drawn - typical);
      mixed.mean += (all / total) * own * (meanOf(sorted) - mean * factor.mean);
    }
    return { n, ...mixed };
  });
}

interface Levels extends MixedDay {}

/** Over all days, each counting the same: a kind that was asked for more often once it was slower is no slower kind. */
function levelsOf(kind: KindDays, floor: number): Levels {
  const n = kind.reduce((sum, { sorted }) => sum + sorted.length, 0);
  const values = new Float64Array(n);
  let [at, mean] = [0, 0];
  for (const { sorted } of kind) {
    values.set(sorted, at);
    at += sorted.length;
    mean += meanOf(sorted) / kind.length;
  }
  return { n, median: Math.max(floor, weightedMedian(kind, values.sort())), mean: Math.max(floor, mean) };
}

/** The first of the values up to which half of all days lie, each day's values together weighing 1. @param values of all days, ascending */
function weightedMedian(kind: KindDays, values: Float64Array): number {
  let [low, high] = [0, values.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    const value = values[middle] as number;
    let below = 0;
    for (const { sorted } of kind) below += countUpTo(sorted, value) / sorted.length;
    // Parts of many days do not add up to the last digit.
    if (below >= kind.length / 2 - 1e-9) high = middle;
    else low = middle + 1;
  }
  return values[low] as number;
}

function countUpTo(sorted: Float64Array, value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as number) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

function middleOf(sorted: Float64Array): number {
  return sorted[quantileRank(0.5, sorted.length)] as number;
}

function meanOf(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}
