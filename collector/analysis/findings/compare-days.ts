import { studentTail } from '../../../shared/statistics/student-tail.ts';
import { type Axes, type AxisName, combineAxes } from './axes.ts';
import type { Quantity } from './quantities.ts';
import { narrowed, type Suspect, scanScore } from './scan.ts';
import { prepareQuantity } from './usual.ts';
import type { Waits } from './waits.ts';

const MIN_DAYS_PER_SIDE = 4;
/** A day on which it never occurs counts as this share of a usual day, because its logarithm is needed. */
const LITTLE = 0.01;

export interface DaySums {
  /** Days since 1970, ascending. */
  readonly days: readonly number[];
  readonly observed: Float64Array;
  readonly expected: Float64Array;
}

export interface Step {
  readonly shape: 'step' | 'drift';
  /** First day with the new level; of a drift the first of all. */
  readonly day: number;
  readonly interval: readonly [number, number];
  /** Logarithm of after ÷ before; of a drift per day. */
  readonly size: number;
  readonly before: number;
  readonly t: number;
  readonly p: number;
}

/** Student's t of a straight line through weighted points. */
function lineThrough(x: Float64Array, y: Float64Array, w: Float64Array) {
  let [sw, sx, sy] = [0, 0, 0];
  for (let i = 0; i < x.length; i++) {
    sw += w[i] as number;
    sx += (w[i] as number) * (x[i] as number);
    sy += (w[i] as number) * (y[i] as number);
  }
  const [mx, my] = [sx / sw, sy / sw];
  let [xx, xy, yy] = [0, 0, 0];
  for (let i = 0; i < x.length; i++) {
    const [dx, dy] = [(x[i] as number) - mx, (y[i] as number) - my];
    xx += (w[i] as number) * dx * dx;
    xy += (w[i] as number) * dx * dy;
    yy += (w[i] as number) * dy * dy;
  }
  const slope = xx === 0 ? 0 : xy / xx;
  return { slope, at: (value: number) => my + slope * (value - mx), rss: Math.max(1e-12, yy - slope * xy), xx, yy };
}

/** A step, a drift or nothing, whichever explains the days best (Schwarz, 1978: BIC); null for nothing. */
export function stepIn({ days, observed, expected }: DaySums): Step | null {
  const used = days.map((_, i) => i).filter((i) => (expected[i] as number) > 0);
  const n = used.length;
  if (n < 2 * MIN_DAYS_PER_SIDE) return null;
  const most = Math.max(...used.map((i) => expected[i] as number));
  const floor = (LITTLE * used.reduce((sum, i) => sum + (expected[i] as number), 0)) / n;
  const y = Float64Array.from(used, (i) => Math.log(((observed[i] as number) + floor) / (expected[i] as number)));
  const w = Float64Array.from(used, (i) => Math.min(1, (2 * (expected[i] as number)) / most));
  const x = Float64Array.from(used, (i) => days[i] as number);
  const drift = lineThrough(x, y, w);
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
    const { slope, rss, xx, at: level } = lineThrough(step, y, w);
    fits.push({ at, rss, slope, t: slope / Math.sqrt(rss / (n - 2) / xx), before: level(0) });
  }
  const best = [...fits].sort((a, b) => a.rss - b.rss)[0];
  if (best === undefined) return null;
  const bic = (rss: number, parameters: number) => n * Math.log(rss / n) + parameters * Math.log(n);
  const none = bic(drift.yy, 1);
  const asStep = bic(best.rss, 3);
  const asDrift = bic(drift.rss, 2);
  if (none <= Math.min(asStep, asDrift)) return null;
  if (asDrift < asStep - 2) {
    const t = drift.slope / Math.sqrt(drift.rss / (n - 2) / drift.xx);
    const [first, last] = [x[0] as number, x[n - 1] as number];
    return {
      shape: 'drift',
      day: first,
      interval: [first, last],
      size: drift.slope,
      before: drift.at(first),
      t,
      p: 2 * studentTail(Math.abs(t), n - 2),
    };
  }
  const [low, high] = likelyDays(fits, n);
  return {
    shape: 'step',
    day: x[best.at] as number,
    interval: [(x[low - 1] as number) + 1, x[high] as number],
    size: best.slope,
    before: best.before,
    t: best.t,
    p: Math.min(1, 2 * n * studentTail(Math.abs(best.t), n - 2)),
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

/** Sums by day of each place. */
function sumsByDay(
  quantity: Quantity,
  rows: Int32Array,
  like: Float32Array,
  axes: Axes,
  by: readonly AxisName[],
  day: Int32Array,
): { readonly where: ReadonlyMap<AxisName, number>; readonly sums: DaySums }[] {
  const names = by;
  const combined = combineAxes(axes, names);
  const places = combined.size;
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const row of rows) {
    first = Math.min(first, day[row] as number);
    last = Math.max(last, day[row] as number);
  }
  if (first > last) return [];
  const size = last - first + 1;
  const days = Array.from({ length: size }, (_, i) => first + i);
  const observed = new Float64Array(places * size);
  const expected = new Float64Array(places * size);
  for (const row of rows) {
    const usual = like[row] as number;
    if (Number.isNaN(usual)) continue;
    const place = combined.codeAt(row);
    if (place < 0) continue;
    const cell = place * size + (day[row] as number) - first;
    observed[cell] = (observed[cell] as number) + (quantity.values[row] as number);
    expected[cell] = (expected[cell] as number) + usual;
  }
  return Array.from({ length: places }, (_, place) => {
    const where = combined.split(place);
    return {
      where,
      sums: {
        days,
        observed: observed.subarray(place * size, (place + 1) * size),
        expected: expected.subarray(place * size, (place + 1) * size),
      },
    };
  });
}

const PLACES: readonly (readonly AxisName[])[] = [
  [],
  ['target'],
  ['host'],
  ['site'],
  ['path'],
  ['host', 'type'],
  ['host', 'site'],
  ['version'],
];
const MIN_T = 6;
const MIN_SIZE = Math.log(1.1);
/** A place that differed before is told without a day. */
const MIN_DATED = Math.log(1.5);
const MIN_ROWS = 5;
/** Places looked at closely. */
const CLOSELY = 4;

/** Places that have lastingly differed from a day on, or drift. */
export function compareDays(waits: Waits, axes: Axes, quantity: Quantity, leastMs: number): Suspect[] {
  const { day } = waits;
  const { rows, usual } = prepareQuantity(waits, quantity);
  const like = stratumMeans(quantity, rows, usual, () => true);
  const found = PLACES.flatMap((by) =>
    sumsByDay(quantity, rows, like, axes, by, day).flatMap(({ where, sums }) => {
      const [first, last] = [sums.days[0] as number, sums.days.at(-1) as number];
      if (sums.observed.reduce((a, b) => a + b, 0) < (leastMs * MIN_DAYS_PER_SIDE) / (last - first + 1)) return [];
      const step = stepIn(sums);
      if (step === null || Math.abs(step.t) < MIN_T) return [];
      // Caches fill while browsers are new, and errors that stopped are no news.
      if (step.size < 0 && (quantity.name === 'cached' || quantity.name === 'errors')) return [];
      const [observed, expected] = afterwards(sums, step);
      // A change that began last week is measured against the waiting since then, not against the whole month.
      const part = step.shape === 'drift' ? 1 : (last - step.day + 1) / (last - first + 1);
      if (Math.abs(observed - expected) < leastMs * part) return [];
      if (Math.abs(Math.log(observed / expected)) < MIN_SIZE) return [];
      const score = scanScore(Math.max(observed, expected), Math.min(observed, expected));
      return [{ where, step, score }];
    }),
  );
  return found
    .sort((a, b) => b.score - a.score)
    .slice(0, CLOSELY)
    .map(({ where, step }): Suspect => {
      const isAfter = (row: number) => (day[row] as number) >= step.day;
      const later = step.shape === 'drift' ? rows : rows.filter(isAfter);
      const own = stratumMeans(quantity, rows, usual, (row) => !isAfter(row));
      const usually =
        step.shape === 'step'
          ? own
          : stratumMeans(quantity, rows, usual, () => true).map((ms) => ms * Math.exp(step.before));
      const faster = step.size < 0;
      const base = {
        quantity,
        shape: step.shape,
        direction: faster ? ('faster' as const) : ('slower' as const),
        since: step.shape === 'step' ? step.day : null,
        sinceInterval: step.interval,
        axis: null,
        where,
        run: [0, 1] as const,
        like: usually,
        ...(step.shape === 'drift' ? { slope: step.size } : {}),
        observed: 0,
        expected: 0,
        score: 0,
      };
      return narrowed(base, later, axes);
    });
}

/** Sums over the days since the step: as they are, and as they would be without it. */
function afterwards({ days, observed, expected }: DaySums, { shape, day, before, size }: Step): [number, number] {
  let [own, usual] = [0, 0];
  for (const [i, one] of days.entries()) {
    if (shape === 'step' && one < day) continue;
    own += observed[i] as number;
    usual += (expected[i] as number) * Math.exp(before);
  }
  return [own, shape === 'step' ? Math.max(usual, 1e-9) : Math.max(usual, size === 0 ? 0 : 1e-9)];
}

/** Per row, the mean of its stratum, of the rows that count, times what is usual for its host and site. */
function stratumMeans(
  { values, stratum, strata }: Quantity,
  rows: Int32Array,
  usual: Float32Array,
  counts: (row: number) => boolean,
): Float32Array {
  const n = new Float64Array(strata);
  const sums = new Float64Array(strata);
  for (const row of rows) {
    if (!counts(row)) continue;
    const one = stratum[row] as number;
    n[one] = (n[one] as number) + 1;
    sums[one] = (sums[one] as number) + (values[row] as number) / (usual[row] as number);
  }
  const like = new Float32Array(values.length).fill(Number.NaN);
  for (const row of rows) {
    const one = stratum[row] as number;
    if ((n[one] as number) >= MIN_ROWS)
      like[row] = ((sums[one] as number) / (n[one] as number)) * (usual[row] as number);
  }
  return like;
}

/** A place that differs only from a day on is told from that day. */
export function dated(suspect: Suspect, { day }: Waits): Suspect {
  const { shape, direction, axis, rows, like, quantity } = suspect;
  if (shape !== 'level' || direction !== 'slower' || axis === 'day') return suspect;
  const [first, last] = rows.reduce(
    ([low, high], row) => [Math.min(low, day[row] as number), Math.max(high, day[row] as number)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );
  const days = Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i);
  const sums = { days, observed: new Float64Array(days.length), expected: new Float64Array(days.length) };
  const perRow = suspect.expected > 0 ? 0 : 1;
  for (const row of rows) {
    const i = (day[row] as number) - first;
    sums.observed[i] = (sums.observed[i] as number) + (quantity.values[row] as number);
    // Where nothing is usual, requests are counted.
    sums.expected[i] = (sums.expected[i] as number) + (like[row] as number) + perRow;
  }
  const step = stepIn(sums);
  if (step === null || step.shape !== 'step' || step.t < MIN_T || step.size < MIN_DATED) return suspect;
  const since = rows.filter((row) => (day[row] as number) >= step.day);
  return {
    ...suspect,
    since: step.day,
    sinceInterval: step.interval,
    rows: since,
    observed: since.reduce((sum, row) => sum + (quantity.values[row] as number), 0),
    expected: since.reduce((sum, row) => sum + (like[row] as number), 0),
  };
}
