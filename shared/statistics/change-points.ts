import { energySplit } from './energy-split.ts';
import { quantileRank } from './quantile-rank.ts';
import { quickselect } from './quickselect.ts';
import { studentTail } from './student-tail.ts';

/** With fewer days on a side, two bad days in a row would be a lasting change. */
export const MIN_DAYS_PER_SIDE = 4;
/** Smallest p-value: 1 in 10,000, so that one change among hundreds of groups can still be certain. */
const PERMUTATIONS = 9_999;
/** Permutations stop after so many that differ at least as much: the p-value is then known well enough to be large. */
const ENOUGH_EXCEEDING = 20;
/** No false discovery rate that anyone would accept could make more of it. */
const CHANGE_LEVEL = 0.05;
/** Level for further changes of a series that has one. */
const FURTHER_LEVEL = 0.01;
const DRAWS = 1_000;
const TAIL = 0.025;

export interface DailyPoint {
  /** Whole days; ascending, gaps are allowed. */
  readonly day: number;
  readonly value: number;
  /** Saturday or Sunday: compared with other weekends only. */
  readonly weekend: boolean;
}

export interface ChangePoint extends ChangeSize {
  /** First day with the new level. */
  readonly day: number;
  /** Resampled 95 % interval of the day on which it began, with the days without a value before it; it holds the true day in about 90 % of simulated series. */
  readonly dayInterval: readonly [number, number];
  /**
   * Of days without it, if their logarithms are normal: t-test of the step, for as many tests as there are places for it. A permutation
   * test cannot be surer than days can be ordered, which for three weeks is 1 in 1,000, however large the step.
   */
  readonly pValue: number;
}

export interface ChangeSize {
  /** Median of the days from then on, until the next change. */
  readonly after: number;
  /** What that would be without the change: `after` − `difference`. */
  readonly before: number;
  /** Later − earlier: the median of the differences of all pairs of days of the same kind (Hodges–Lehmann). */
  readonly difference: number;
  /** 95 %, of the difference. */
  readonly interval: readonly [number, number];
}

export interface DailyChanges {
  /** Of a series without any change.. */
  readonly pValue: number;
  /** In order of time; none if `pValue` is above CHANGE_LEVEL. */
  readonly changes: readonly ChangePoint[];
}

/**
 * Days from which a daily value differs lastingly.
 *
 * E-divisive, because days are few, noisy and skewed: it assumes no distribution, has no penalty to tune as PELT has, and
 * its permutation test holds its level for any number of days. D. Daly et al., The Use of Change Point Detection to Identify
 * Software Performance Regressions in a Continuous Integration System (2020), chose it for such series for these reasons. Days
 * are only permuted among days of the same kind, so a weekly pattern is no change. Logarithms are compared, because a
 * change acts on a time as a factor.
 *
 * Days are taken as independent: a slow drift is reported as one or several changes.
 *
 * @param floor smaller values count as this one, such as the clock step; above 0
 * @param random uniform in [0, 1); seed it, so that an answer can be reproduced
 * @returns null with fewer than 2 · MIN_DAYS_PER_SIDE days
 */
export function changePoints(points: readonly DailyPoint[], floor: number, random: () => number): DailyChanges | null {
  const series: Series = {
    values: Float64Array.from(points, ({ value }) => Math.log(Math.max(value, floor))),
    classes: classesOf(points),
  };
  const whole = testSplit(series, random);
  if (whole === null) return null;
  const { pValue, at: first } = whole;
  if (pValue > CHANGE_LEVEL) return { pValue, changes: [] };
  const splits = pValue > FURTHER_LEVEL ? [first] : splitFurther(series, 0, first, random);
  const bounds = [0, ...splits, points.length];
  const changes = splits.map((_, i) => {
    const [from, at, to] = bounds.slice(i, i + 3) as [number, number, number];
    const own = part(series, from, to);
    const places = splits.length * (to - from + 1 - 2 * MIN_DAYS_PER_SIDE);
    const stepP = Math.min(1, places * chanceOfStep(own, at - from));
    return { ...describe(points.slice(from, to), own, at - from, random), pValue: stepP };
  });
  return { pValue, changes };
}

/**
 * How much a value differs from a day on, where something else says which day that is.
 * @param day one of the points'; those of two changes at once have no single size
 */
export function changeAt(points: readonly DailyPoint[], day: number, random: () => number): ChangeSize {
  const at = points.findIndex((point) => point.day === day);
  const shiftOf = shifts(classesOf(points), at);
  const measured = Float64Array.from(points, ({ value }) => value);
  const draw = redraw(points, at, random);
  const drawn = new Float64Array(points.length);
  const differences = new Float64Array(DRAWS).map(() => {
    draw((i, one) => {
      drawn[i] = measured[one] as number;
    });
    return shiftOf(drawn);
  });
  return sizeOf(points, at, shiftOf(measured), differences);
}

interface Series {
  readonly values: Float64Array;
  readonly classes: Uint8Array;
}

function classesOf(points: readonly DailyPoint[]): Uint8Array {
  return Uint8Array.from(points, ({ weekend }) => (weekend ? 1 : 0));
}

function part({ values, classes }: Series, from: number, to = values.length): Series {
  return { values: values.subarray(from, to), classes: classes.subarray(from, to) };
}

/** The split and those within either side of it. @param offset of the series' first point */
function splitFurther(series: Series, offset: number, at: number, random: () => number): number[] {
  const within = (own: Series, start: number): number[] => {
    const found = testSplit(own, random);
    return found === null || found.pValue > FURTHER_LEVEL ? [] : splitFurther(own, start, found.at, random);
  };
  return [...within(part(series, 0, at), offset), offset + at, ...within(part(series, at), offset + at)];
}

/** The best split, and how often a random order of the days has one at least as good. */
function testSplit({ values, classes }: Series, random: () => number) {
  const best = energySplit(values, classes, MIN_DAYS_PER_SIDE);
  if (best === null) return null;
  const kinds = [0, 1].map((kind) => [...classes.keys()].filter((i) => classes[i] === kind));
  const shuffled = values.slice();
  let exceeding = 0;
  for (let done = 1; done <= PERMUTATIONS; done++) {
    for (const indexes of kinds) shuffle(shuffled, indexes, random);
    const distance = energySplit(shuffled, classes, MIN_DAYS_PER_SIDE)?.distance ?? 0;
    // Equal but for rounding counts as equal, which can only make the p-value larger.
    if (distance >= best.distance - 1e-9) exceeding++;
    // J. Besag and P. Clifford, Sequential Monte Carlo p-values (1991): still valid.
    if (exceeding === ENOUGH_EXCEEDING) return { at: best.at, pValue: exceeding / done };
  }
  return { at: best.at, pValue: (exceeding + 1) / (PERMUTATIONS + 1) };
}

/** Two-sided, of a t-test: the step in a regression in which days of each kind have a level of their own. */
function chanceOfStep({ values, classes }: Series, at: number): number {
  const kinds = [0, 1]
    .map((kind) => [...classes.keys()].filter((i) => classes[i] === kind))
    .filter((own) => own.length > 0);
  let [squares, products, total] = [0, 0, 0];
  for (const own of kinds) {
    const level = own.reduce((sum, i) => sum + (values[i] as number), 0) / own.length;
    const later = own.filter((i) => i >= at).length / own.length;
    for (const i of own) {
      const [x, y] = [(i >= at ? 1 : 0) - later, (values[i] as number) - level];
      squares += x * x;
      products += x * y;
      total += y * y;
    }
  }
  const degrees = values.length - kinds.length - 1;
  if (squares === 0 || degrees < 1) return 1;
  const rest = Math.max(0, total - products ** 2 / squares);
  if (rest === 0) return products === 0 ? 1 : 0;
  return 2 * studentTail(Math.abs(products) / Math.sqrt((rest / degrees) * squares), degrees);
}

/** Fisher–Yates among these indexes. */
function shuffle(values: Float64Array, indexes: readonly number[], random: () => number): void {
  for (let last = indexes.length - 1; last > 0; last--) {
    const a = indexes[last] as number;
    const b = indexes[Math.floor(random() * (last + 1))] as number;
    const kept = values[a] as number;
    values[a] = values[b] as number;
    values[b] = kept;
  }
}

/**
 * Intervals by resampling days of the same kind within each side: the difference at this split, and where the best split of
 * the resampled series is. M. Hušková and C. Kirch, Bootstrapping confidence intervals for the change-point of time series (2008).
 */
function describe(
  points: readonly DailyPoint[],
  { values, classes }: Series,
  at: number,
  random: () => number,
): Omit<ChangePoint, 'pValue'> {
  const shiftOf = shifts(classes, at);
  const measured = Float64Array.from(points, ({ value }) => value);
  const draw = redraw(points, at, random);
  const differences = new Float64Array(DRAWS);
  const days = new Float64Array(DRAWS);
  const drawnLogs = new Float64Array(points.length);
  const drawn = new Float64Array(points.length);
  for (let done = 0; done < DRAWS; done++) {
    draw((i, one) => {
      drawnLogs[i] = values[one] as number;
      drawn[i] = measured[one] as number;
    });
    const split = energySplit(drawnLogs, classes, MIN_DAYS_PER_SIDE);
    days[done] = points[split?.at ?? at]?.day as number;
    differences[done] = shiftOf(drawn);
  }
  const day = points[at]?.day as number;
  const [drawnFirst, last] = intervalOf(days);
  const first = Math.min(drawnFirst, day);
  // It may have begun on any day without a value, such as those of a weekend.
  const known = points.filter((point) => point.day < first).at(-1)?.day ?? first - 1;
  return {
    day,
    dayInterval: [known + 1, Math.max(last, day)],
    ...sizeOf(points, at, shiftOf(measured), differences),
  };
}

/** Draws, for each day, one of the same kind on the same side. */
function redraw(points: readonly DailyPoint[], at: number, random: () => number) {
  const alike = points.map(({ weekend }, i) =>
    points.flatMap((other, j) => (other.weekend === weekend && i < at === j < at ? [j] : [])),
  );
  return (take: (day: number, drawn: number) => void) => {
    for (const [i, own] of alike.entries()) take(i, own[Math.floor(random() * own.length)] as number);
  };
}

function sizeOf(points: readonly DailyPoint[], at: number, difference: number, draws: Float64Array): ChangeSize {
  const after = medianOf(points.slice(at).map(({ value }) => value));
  return { after, before: after - difference, difference, interval: intervalOf(draws) };
}

/** Median of the differences, later − earlier, of all pairs of days of the same kind. */
function shifts(classes: Uint8Array, at: number): (values: Float64Array) => number {
  const pairs: [earlier: number, later: number][] = [];
  for (let later = at; later < classes.length; later++) {
    for (let earlier = 0; earlier < at; earlier++) {
      if (classes[earlier] === classes[later]) pairs.push([earlier, later]);
    }
  }
  const earlier = Uint32Array.from(pairs, ([one]) => one);
  const later = Uint32Array.from(pairs, ([, one]) => one);
  const differences = new Float64Array(pairs.length);
  return (values) => {
    // Only weekends on one side and only working days on the other: such a split is never the best one.
    if (differences.length === 0) return 0;
    for (let i = 0; i < differences.length; i++) {
      differences[i] = (values[later[i] as number] as number) - (values[earlier[i] as number] as number);
    }
    return quickselect(differences, quantileRank(0.5, differences.length));
  };
}

function medianOf(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[quantileRank(0.5, sorted.length)] as number;
}

function intervalOf(draws: Float64Array): readonly [number, number] {
  draws.sort();
  const rank = quantileRank(TAIL, draws.length);
  return [draws[rank] as number, draws[draws.length - 1 - rank] as number];
}
