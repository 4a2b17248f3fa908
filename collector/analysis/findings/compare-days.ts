import { type DaySums, MIN_DAYS_PER_SIDE, type Step, stepIn } from '../../../shared/statistics/lasting-steps.ts';
import { isWeekend } from '../time/business-hours.ts';
import { type Axes, type AxisName, type Cells, combineAxes } from './axes.ts';
import type { Quantity } from './quantities.ts';
import { narrowed, type Suspect, scanScore } from './scan.ts';
import { type CellSums, placeCodes, prepareQuantity, siteFactors, sumByCode } from './usual.ts';
import { CONNECTIONS, pickRows, type Waits } from './waits.ts';

/** What is usual in each cell: in all of its requests together. @param usualAt per row */
function usualInCells({ cells: { rows }, n }: CellSums, usualAt: (row: number) => number): Float64Array {
  return n.map((count, cell) => (count === 0 ? 0 : count * usualAt(rows[cell] as number)));
}

/** Sums by place and day: those of a place follow each other. @param usual by cell @param placeOf by cell, −1 for none */
function sumsByDay(
  { cells: { rows }, observed: own }: CellSums,
  usual: Float64Array,
  placeOf: Int32Array,
  places: number,
  day: Int32Array,
  [first = 0, ...others]: readonly number[],
) {
  const days = 1 + others.length;
  const observed = new Float64Array(places * days);
  const expected = new Float64Array(places * days);
  for (let cell = 0; cell < placeOf.length; cell++) {
    const place = placeOf[cell] as number;
    if (place < 0 || !((usual[cell] as number) > 0)) continue;
    const at = place * days + (day[rows[cell] as number] as number) - first;
    observed[at] = (observed[at] as number) + (own[cell] as number);
    expected[at] = (expected[at] as number) + (usual[cell] as number);
  }
  return { observed, expected };
}

/** All days from the first to the last on which it occurs. */
function daysWithAny(rows: ArrayLike<number>, day: Int32Array): number[] {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let i = 0; i < rows.length; i++) {
    first = Math.min(first, day[rows[i] as number] as number);
    last = Math.max(last, day[rows[i] as number] as number);
  }
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i);
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
  const { rows, factorAt, sums } = prepareQuantity(waits, axes, quantity);
  const daily = sums(['day']);
  const days = daysWithAny(
    daily.cells.rows.filter((_, cell) => daily.n[cell] !== 0),
    day,
  );
  const usualAt = stratumMeans(waits, quantity, daily, factorAt);
  // The days since a step are no part of what is usual for a kind of request, a host and a site.
  const usualBefore = (to: number) => {
    const [n, observed] = [daily.n, daily.observed].map((sum) =>
      sum.map((one, cell) => ((day[daily.cells.rows[cell] as number] as number) < to ? one : 0)),
    ) as [Float64Array, Float64Array];
    const earlier = { ...daily, n, observed };
    return stratumMeans(waits, quantity, earlier, siteFactors(waits, quantity, earlier));
  };
  const usuals = new Map<Cells, Float64Array>();
  const apart = days.map(isWeekend);
  const found = PLACES.flatMap((by) => {
    const places = combineAxes(axes, by);
    const own = sums([...by, 'day']);
    const usual = usuals.get(own.cells) ?? usualInCells(own, usualAt);
    usuals.set(own.cells, usual);
    const all = sumsByDay(own, usual, placeCodes(axes, by, own.cells), places.size, day, days);
    const suspects: { where: Suspect['where']; step: Step; score: number }[] = [];
    for (let place = 0; place < places.size; place++) {
      const [from, to] = [place * days.length, (place + 1) * days.length];
      let waited = 0;
      for (let i = from; i < to; i++) waited += all.observed[i] as number;
      if (waited < (leastMs * MIN_DAYS_PER_SIDE) / days.length) continue;
      const sumsOfPlace = {
        days,
        apart,
        observed: all.observed.subarray(from, to),
        expected: all.expected.subarray(from, to),
      };
      const step = stepIn(sumsOfPlace);
      if (step === null || Math.abs(step.t) < MIN_T) continue;
      // Caches fill while browsers are new, and errors that stopped are no news.
      if (step.size < 0 && (quantity.name === 'cached' || quantity.name === 'errors')) continue;
      const [observed, expected] = afterwards(sumsOfPlace, step);
      // A change that began last week is measured against the waiting since then, not against the whole month.
      const part = step.shape === 'drift' ? 1 : ((days.at(-1) as number) - step.day + 1) / days.length;
      if (Math.abs(observed - expected) < leastMs * part) continue;
      if (Math.abs(Math.log(observed / expected)) < MIN_SIZE) continue;
      const score = scanScore(Math.max(observed, expected), Math.min(observed, expected));
      suspects.push({ where: places.split(place), step, score });
    }
    return suspects;
  });
  return found
    .sort((a, b) => b.score - a.score)
    .slice(0, CLOSELY)
    .map(({ where, step }): Suspect => {
      const isAfter = (row: number) => (day[row] as number) >= step.day;
      const isDrift = step.shape === 'drift';
      const before = isDrift ? usualAt : usualBefore(step.day);
      const like = new Float32Array(quantity.values.length).fill(Number.NaN);
      for (const row of rows) like[row] = before(row) * (isDrift ? Math.exp(step.before) : 1);
      const base = {
        quantity,
        shape: step.shape,
        direction: step.size < 0 ? ('faster' as const) : ('slower' as const),
        since: isDrift ? null : step.day,
        sinceInterval: step.interval,
        axis: null,
        where,
        run: [0, 1] as const,
        like,
        ...(isDrift ? { slope: step.size } : {}),
        observed: 0,
        expected: 0,
        score: 0,
      };
      return narrowed(base, isDrift ? rows : pickRows(rows, isAfter), axes);
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

/**
 * What is usual for a row: the mean of its stratum, times what is usual for its host and site. A stratum of few is drawn towards its
 * host's requests on that kind of connection: small fleets make few of each.
 */
function stratumMeans(
  { host, hosts, table, strata: byConnection }: Waits,
  { stratum, strata }: Quantity,
  { cells: { rows }, n, observed }: CellSums,
  factorAt: (row: number) => number,
): (row: number) => number {
  const alike = observed.map((ms, cell) => ms / factorAt(rows[cell] as number));
  const hostAt = (row: number) =>
    CONNECTIONS * (host[row] as number) + (strata === byConnection ? (table.connection[row] as number) : 0);
  const [all, sums] = sumByCode(rows, strata, (row) => stratum[row] as number, n, alike);
  const [allOfHost, sumsOfHost] = sumByCode(rows, CONNECTIONS * hosts.length, hostAt, n, alike);
  return (row) => {
    const [own, others] = [all[stratum[row] as number] as number, allOfHost[hostAt(row)] as number];
    if (own === 0 || others < MIN_ROWS) return Number.NaN;
    const missing = Math.max(0, MIN_ROWS - own);
    const drawn = (missing * (sumsOfHost[hostAt(row)] as number)) / others;
    return (((sums[stratum[row] as number] as number) + drawn) / (own + missing)) * factorAt(row);
  };
}

/** A place that differs only from a day on is told from that day. */
export function dated(suspect: Suspect, { day }: Waits): Suspect {
  const { shape, direction, axis, rows, like, quantity } = suspect;
  if ((shape !== 'level' && shape !== 'tail') || direction !== 'slower' || axis === 'day') return suspect;
  const days = daysWithAny(rows, day);
  const [first = 0] = days;
  const sums = {
    days,
    apart: days.map(isWeekend),
    observed: new Float64Array(days.length),
    expected: new Float64Array(days.length),
  };
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
