import { quantileRank } from './quantile-rank.ts';
import { studentTail } from './student-tail.ts';

/** With fewer days on a side, two bad days in a row would be a lasting change. */
export const MIN_DAYS_PER_SIDE = 4;
/** Of those that are not apart, in a level. */
const MIN_DAYS_CUT = 3;
/** A day on which it never occurs counts as this share of a usual day, because its logarithm is needed. */
const LITTLE = 0.01;
/** Days apart are left out with less, as a share of what is expected of the others. */
const THIN = 0.5;
/** What a further step has to explain, in variances of a day: those of Student's t of 3.5. */
const PENALTY = 12;
/** Standard deviation of the logarithm of a day, at least: equal days would make any difference certain. */
const LEAST_NOISE = 0.002;
/** A normal distribution's median distance of two values, in standard deviations. */
const MEDIAN_DISTANCE = 0.6745 * Math.SQRT2;

export interface DaySums {
  /** Days since 1970, ascending. */
  readonly days: readonly number[];
  readonly observed: Float64Array;
  readonly expected: Float64Array;
  /** Days that are compared among themselves only, such as weekends; none if absent. */
  readonly apart?: readonly boolean[];
}

export interface Step {
  readonly shape: 'step' | 'drift';
  /** First day with the new level; of a drift the first of all. */
  readonly day: number;
  /** 95 %, of the day. */
  readonly interval: readonly [number, number];
  /** Logarithm of after ÷ before; of a drift per day. */
  readonly size: number;
  readonly before: number;
  readonly t: number;
  readonly p: number;
}

/** Logarithms of observed ÷ expected, for the days on which anything was expected. */
interface Logs {
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** A day with few requests weighs less. */
  readonly w: Float64Array;
  readonly apart: readonly boolean[];
}

function toLogs({ days, observed, expected, apart }: DaySums): Logs {
  const known = days.map((_, i) => i).filter((i) => (expected[i] as number) > 0);
  const mean = (own: readonly number[]) => own.reduce((sum, i) => sum + (expected[i] as number), 0) / own.length;
  const [few, others] = [true, false].map((kind) => known.filter((i) => (apart?.[i] === true) === kind)) as [
    number[],
    number[],
  ];
  // Few requests of another kind of day say little about the day of a step.
  const used = mean(few) < THIN * mean(others) ? others : known;
  const most = Math.max(...used.map((i) => expected[i] as number));
  const floor = (LITTLE * used.reduce((sum, i) => sum + (expected[i] as number), 0)) / used.length;
  return {
    x: Float64Array.from(used, (i) => days[i] as number),
    y: Float64Array.from(used, (i) => Math.log(((observed[i] as number) + floor) / (expected[i] as number))),
    w: Float64Array.from(used, (i) => Math.min(1, (2 * (expected[i] as number)) / most)),
    // A single one has nothing to be compared with.
    apart: used.map((i) => few.length >= 2 && others.length >= 2 && apart?.[i] === true),
  };
}

/** A straight line through weighted points, where those apart have a level of their own (Frisch and Waugh, 1933). */
function lineThrough(x: Float64Array, { y, w, apart }: Logs) {
  const [sw, sx, sy] = [
    [0, 0],
    [0, 0],
    [0, 0],
  ] as [number[], number[], number[]];
  for (let i = 0; i < x.length; i++) {
    const kind = apart[i] === true ? 1 : 0;
    const weight = w[i] as number;
    sw[kind] = (sw[kind] as number) + weight;
    sx[kind] = (sx[kind] as number) + weight * (x[i] as number);
    sy[kind] = (sy[kind] as number) + weight * (y[i] as number);
  }
  let [xx, xy, yy] = [0, 0, 0];
  for (let i = 0; i < x.length; i++) {
    const kind = apart[i] === true ? 1 : 0;
    const dx = (x[i] as number) - (sx[kind] as number) / (sw[kind] as number);
    const dy = (y[i] as number) - (sy[kind] as number) / (sw[kind] as number);
    xx += (w[i] as number) * dx * dx;
    xy += (w[i] as number) * dx * dy;
    yy += (w[i] as number) * dy * dy;
  }
  const mean = ([one = 0, other = 0]: number[]) => (one + other) / ((sw[0] as number) + (sw[1] as number));
  const slope = xx === 0 ? 0 : xy / xx;
  const [mx, my] = [mean(sx), mean(sy)];
  return { slope, at: (value: number) => my + slope * (value - mx), rss: Math.max(1e-12, yy - slope * xy), xx, yy };
}

/** A step, a drift or nothing, whichever explains the days best (Schwarz, 1978: BIC); null for nothing. */
export function stepIn(sums: DaySums): Step | null {
  const logs = toLogs(sums);
  const { x, w } = logs;
  const n = x.length;
  if (n < 2 * MIN_DAYS_PER_SIDE) return null;
  const degrees = n - (logs.apart.includes(true) ? 3 : 2);
  const drift = lineThrough(x, logs);
  const fits: { at: number; rss: number; slope: number; t: number; before: number }[] = [];
  const step = new Float64Array(n);
  for (let at = 1; at < n; at++) {
    let [left, right] = [0, 0];
    for (let i = 0; i < n; i++) {
      step[i] = i >= at ? 1 : 0;
      if (i >= at) right += w[i] as number;
      else left += w[i] as number;
    }
    if (left < MIN_DAYS_PER_SIDE - 1 || right < MIN_DAYS_PER_SIDE - 1) continue;
    const { slope, rss, xx, at: level } = lineThrough(step, logs);
    fits.push({ at, rss, slope, t: slope / Math.sqrt(rss / degrees / xx), before: level(0) });
  }
  const best = [...fits].sort((a, b) => a.rss - b.rss)[0];
  if (best === undefined) return null;
  const bic = (rss: number, parameters: number) => n * Math.log(rss / n) + parameters * Math.log(n);
  const none = bic(drift.yy, 1);
  const asStep = bic(best.rss, 3);
  const asDrift = bic(drift.rss, 2);
  if (none <= Math.min(asStep, asDrift)) return null;
  if (asDrift < asStep - 2) {
    const t = drift.slope / Math.sqrt(drift.rss / degrees / drift.xx);
    const [first, last] = [x[0] as number, x[n - 1] as number];
    return {
      shape: 'drift',
      day: first,
      interval: [first, last],
      size: drift.slope,
      before: drift.at(first),
      t,
      p: 2 * studentTail(Math.abs(t), degrees),
    };
  }
  const [low, high] = likelyDays(fits, n);
  return {
    shape: 'step',
    day: x[best.at] as number,
    // It may have begun on any day without a value before it.
    interval: [(x[low - 1] as number) + 1, x[high] as number],
    size: best.slope,
    before: best.before,
    t: best.t,
    p: Math.min(1, 2 * n * studentTail(Math.abs(best.t), degrees)),
  };
}

/** First and last of the days that together have 95 % of the posterior probability, all being as likely before. */
function likelyDays(
  fits: readonly { readonly at: number; readonly rss: number }[],
  n: number,
): readonly [number, number] {
  const least = Math.min(...fits.map(({ rss }) => rss));
  const likely = fits
    .map(({ at, rss }) => ({ at, weight: (rss / least) ** (-(n - 2) / 2) }))
    .sort((a, b) => b.weight - a.weight);
  const all = likely.reduce((sum, { weight }) => sum + weight, 0);
  let reached = 0;
  const within = likely.filter(({ weight }) => {
    const isWithin = reached < 0.95 * all;
    reached += weight;
    return isWithin;
  });
  return [Math.min(...within.map(({ at }) => at)), Math.max(...within.map(({ at }) => at))];
}

/**
 * All steps, in order of time. Where they are is what cuts the days into levels with least squares (W. D. Fisher, On grouping for
 * maximum homogeneity, 1958); what each of them is, `stepIn` says from the days between its neighbours.
 */
export function stepsIn(sums: DaySums): Step[] {
  const cuts = cutDays(toLogs(sums));
  return cuts.slice(1, -1).flatMap((_, i) => {
    const [from, to] = [cuts[i] as number, cuts[i + 2] as number];
    const inside = sums.days.map((_, at) => at).filter((at) => isWithin(sums.days[at] as number, from, to));
    const step = stepIn({
      days: inside.map((at) => sums.days[at] as number),
      observed: Float64Array.from(inside, (at) => sums.observed[at] as number),
      expected: Float64Array.from(inside, (at) => sums.expected[at] as number),
      ...(sums.apart === undefined ? {} : { apart: inside.map((at) => sums.apart?.[at] === true) }),
    });
    return step?.shape === 'step' ? [step] : [];
  });
}

function isWithin(day: number, from: number, to: number): boolean {
  return day >= from && day < to;
}

/** The first day of each level, and the day after the last one; by the days that are not apart, as those have another level anyway. */
function cutDays(logs: Logs): number[] {
  const used = [...logs.apart.keys()].filter((i) => logs.apart[i] === false);
  const [x, y, w] = [logs.x, logs.y, logs.w].map((values) => Float64Array.from(used, (i) => values[i] as number)) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  const n = x.length;
  const end = (logs.x.at(-1) ?? 0) + 1;
  const distances = y
    .slice(1)
    .map((value, i) => Math.abs(value - (y[i] as number)))
    .sort();
  const noise = Math.max(LEAST_NOISE, (distances[quantileRank(0.5, distances.length)] ?? 0) / MEDIAN_DISTANCE);
  const cost = new Float64Array(n + 1);
  const cutAt = new Int32Array(n + 1);
  for (let to = 1; to <= n; to++) {
    cost[to] = Number.POSITIVE_INFINITY;
    let [sw, sy, syy] = [0, 0, 0];
    for (let from = to - 1; from >= 0; from--) {
      const [weight, value] = [w[from] as number, y[from] as number];
      sw += weight;
      sy += weight * value;
      syy += weight * value * value;
      if (to - from < MIN_DAYS_CUT) continue;
      const total = (cost[from] as number) + PENALTY + (syy - (sy * sy) / sw) / noise ** 2;
      if (total < (cost[to] as number)) {
        cost[to] = total;
        cutAt[to] = from;
      }
    }
  }
  const cuts = [end];
  if (n < MIN_DAYS_CUT) return cuts;
  for (let to = n; to > 0; to = cutAt[to] as number) cuts.unshift(x[cutAt[to] as number] as number);
  // Those before the first one that is not apart belong to the first level.
  cuts[0] = logs.x[0] as number;
  return cuts;
}
