import { type DaySums, MIN_DAYS_PER_SIDE, type Step, stepIn } from '../../../shared/statistics/lasting-steps.ts';
import { type Axes, type AxisName, combineAxes } from './axes.ts';
import type { Quantity } from './quantities.ts';
import { narrowed, type Suspect, scanScore } from './scan.ts';
import { prepareQuantity } from './usual.ts';
import type { Waits } from './waits.ts';

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
