import { type Axes, type Axis, type AxisName, type Cells, combineAxes, RUNS } from './axes.ts';
import type { Shape } from './finding.ts';
import type { Quantity, QuantityName } from './quantities.ts';
import { type CellSums, placeCodes, sumByCode } from './usual.ts';
import { pickRows } from './waits.ts';

/** A place where more is waited than is usual for its like. */
export interface Suspect {
  readonly quantity: Quantity;
  readonly shape: Shape;
  /** Only for a drift: the logarithm of its growth per day. */
  readonly slope?: number;
  /** A norm that the place does not keep, rather than other places. */
  readonly norm?: true;
  readonly direction: 'slower' | 'faster';
  /** Days since 1970, from which it holds; null if the range has no beginning of it. */
  readonly since: number | null;
  readonly sinceInterval: readonly [number, number] | null;
  /** What it differs from its likes in. */
  readonly axis: AxisName | null;
  /** What else it is restricted to: a code for each of these. */
  readonly where: ReadonlyMap<AxisName, number>;
  /** Codes of the axis, from inclusive to exclusive. */
  readonly run: readonly [number, number];
  readonly rows: readonly number[];
  /** Per row, usual. */
  readonly like: Float32Array;
  readonly observed: number;
  readonly expected: number;
  readonly score: number;
}

/** How sure a suspect is. */
export interface Judgement {
  /** Time that it costs, ms, always positive, and its standard error over browsers (minutes, if it is about one of them). */
  readonly savedMs: number;
  readonly error: number;
  readonly units: number;
  readonly isCertain: boolean;
}

/** Dimensions by which a place may be narrowed. */
const NARROWED_BY: readonly AxisName[] = ['target', 'host', 'type', 'path', 'site', 'engine', 'version', 'protocol'];
/** Some requests have no protocol because of what is looked for: with one they are the others. */
const WITHOUT_PROTOCOL: ReadonlySet<QuantityName> = new Set(['cached', 'unmeasurable', 'errors']);
/** A narrower place has to be that much better, otherwise chance would always narrow. */
const BETTER = 1.02;
/** … and by more than chance: in units of the logarithm of a likelihood, for the requests that take longer as events. */
const LEAST_GAIN = 6;
/** Times its usual time: a request counts as an event. */
const LONGER = 1.5;
/** A narrower place has that share of the events, so many times as often as the rest. */
const MOST_EVENTS = 0.6;
const FAR_MORE = 3;
/** A run of hours is chosen among many: so much of its score is chance. */
const RUN_WORTH = 0.85;
/** Where nothing is usual, a place with fewer requests still stands out more. */
const LEAST_USUAL_MS = 0.05;
/** Longest run, as a share of the axis: more than that is no exception. */
const LONGEST_RUN = 0.5;
const LONGEST_DAYS = 5;
const LONGEST_HOURS = 24;

/**
 * How much a place stands out, ms: A·ln(A/E) − (A − E), the likelihood ratio of M. Kulldorff's scan statistic (1997). It
 * is largest at the place that has the whole excess and nothing else: requests without it add to both, and those left out take
 * some of it away.
 */
export function scanScore(observed: number, expected: number): number {
  if (!(observed > expected) || !(expected >= 0)) return 0;
  const floor = Math.max(expected, observed * 1e-3);
  return observed * Math.log(observed / floor) - (observed - floor);
}

/** What is usual for each cell, NaN where that is unknown. */
export interface Compared extends Omit<CellSums, 'n'> {
  readonly expected: Float64Array;
}

export type Place = Omit<Suspect, 'rows' | 'like'>;

/** Places of one axis, alone and with each of `by`, that stand out most. @param sums by cells that tell these axes apart */
export function scanPlaces(
  quantity: Quantity,
  sums: (names: readonly AxisName[]) => Compared,
  axes: Axes,
  axis: AxisName | null,
  by: readonly (readonly AxisName[])[],
  least: number,
  shape: 'level' | 'tail' = 'level',
): Place[] {
  const { codes, size } = axis === null ? { codes: null, size: 1 } : axes[axis];
  return by.flatMap((names) => {
    const places = combineAxes(axes, names);
    const { cells, observed: own, expected: usual } = sums(axis === null ? names : [...names, axis]);
    const placeOf = placeCodes(axes, names, cells);
    const codeAt = (row: number, cell: number) => {
      if (Number.isNaN(usual[cell] as number) || (own[cell] === 0 && usual[cell] === 0)) return -1;
      const code = codes === null ? 0 : (codes[row] as number);
      return code < 0 ? -1 : (placeOf[cell] as number) * size + code;
    };
    const [observed, expected] = sumByCode(cells.rows, places.size * size, codeAt, own, usual);
    const found: Place[] = [];
    for (let place = 0; place < places.size; place++) {
      const at = place * size;
      let most = 0;
      for (let i = at; i < at + size; i++) most += Math.max(0, (observed[i] as number) - (expected[i] as number));
      if (most < least) continue;
      const part = [observed.subarray(at, at + size), expected.subarray(at, at + size)] as const;
      const best =
        axis !== null && RUNS.has(axis)
          ? bestRun(...part, axis === 'day' ? LONGEST_DAYS : LONGEST_HOURS)
          : bestCodes(...part);
      for (const one of best) {
        if (one.observed - one.expected < least) continue;
        const where = places.split(place);
        found.push({ quantity, shape, direction: 'slower', since: null, sinceInterval: null, axis, where, ...one });
      }
    }
    return found;
  });
}

type Run = Pick<Suspect, 'run' | 'observed' | 'expected' | 'score'>;

function bestCodes(observed: Float64Array, expected: Float64Array): Run[] {
  return Array.from(observed, (own, code): Run => {
    const usual = expected[code] as number;
    return { run: [code, code + 1], observed: own, expected: usual, score: scanScore(own, usual) };
  }).filter(({ score }) => score > 0);
}

/** The one run of codes that stands out most. */
function bestRun(observed: Float64Array, expected: Float64Array, most: number): Run[] {
  const longest = Math.min(most, Math.floor(observed.length * LONGEST_RUN));
  let best: Run | null = null;
  for (let from = 0; from < observed.length; from++) {
    let [own, usual] = [0, 0];
    for (let to = from; to < Math.min(observed.length, from + longest); to++) {
      own += observed[to] as number;
      usual += expected[to] as number;
      const score = scanScore(own, usual);
      const shorter = best !== null && to + 1 - from < best.run[1] - best.run[0];
      if (score > (shorter ? 0.99 : 1.01) * (best?.score ?? 0))
        best = { run: [from, to + 1], observed: own, expected: usual, score };
    }
  }
  return best === null ? [] : [{ ...best, score: RUN_WORTH * best.score }];
}

/** With its rows, as narrow as makes it stand out more. @param by dimensions that may narrow it */
export function narrowed(
  found: Omit<Suspect, 'rows'>,
  rows: Int32Array,
  axes: Axes,
  by: readonly AxisName[] = NARROWED_BY,
): Suspect {
  const { axis, norm, shape, quantity } = found;
  const worth = axis !== null && RUNS.has(axis) ? RUN_WORTH : 1;
  let inside = axis === null ? rows : withCodes(rows, axes[axis], ...found.run);
  for (const [name, code] of found.where) inside = withCodes(inside, axes[name], code, code + 1);
  let place = measured(
    found,
    pickRows(inside, (row) => !Number.isNaN(found.like[row] as number)),
    worth,
  );
  for (;;) {
    let best: { readonly name: AxisName; readonly code: number; readonly gain: number } | null = null;
    const whole = tally(place, axes.cells(by));
    const events = whole.columns[1].reduce((sum, longer) => sum + longer, 0);
    for (const name of by) {
      if (name === axis || place.where.has(name) || (name === 'protocol' && WITHOUT_PROTOCOL.has(quantity.name)))
        continue;
      const [n, longer, observed, expected] = tallyByCode(whole, axes[name]);
      for (let code = 0; code < n.length; code++) {
        const gain =
          norm === true || shape === 'tail'
            ? rateGain(longer[code] as number, n[code] as number, events, place.rows.length)
            : timeGain(observed[code] as number, expected[code] as number, place, worth, events);
        if (gain > (best?.gain ?? LEAST_GAIN)) best = { name, code, gain };
      }
    }
    if (best === null) {
      const told = axis === 'site' ? (inHours(place, axes, events) ?? place) : place;
      return { ...told, rows: Array.from(told.rows) };
    }
    const { name, code } = best;
    const where = new Map([...place.where, [name, code]]);
    place = measured({ ...place, where }, withCodes(place.rows, axes[name], code, code + 1), worth);
  }
}

/** A suspect while it is narrowed. */
interface Narrowing extends Omit<Suspect, 'rows'> {
  readonly rows: Int32Array;
}

/** @param to exclusive */
function withCodes(rows: Int32Array, { codes }: Axis, from: number, to: number): Int32Array {
  const inside = new Int32Array(rows.length);
  let n = 0;
  for (let i = 0; i < rows.length; i++) {
    const code = codes[rows[i] as number] as number;
    if (code >= from && code < to) inside[n++] = rows[i] as number;
  }
  return inside.subarray(0, n);
}

function measured(found: Omit<Suspect, 'rows'>, rows: Int32Array, worth: number): Narrowing {
  const { quantity, like, direction } = found;
  let [observed, expected] = [0, 0];
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number;
    observed += quantity.values[row] as number;
    expected += like[row] as number;
  }
  const least = rows.length * LEAST_USUAL_MS;
  const score =
    worth * (direction === 'faster' ? scanScore(expected, observed) : scanScore(observed, Math.max(expected, least)));
  return { ...found, rows, observed, expected, score };
}

/** A site's hours, if what it differs in is in these only; null if not. */
function inHours(place: Narrowing, axes: Axes, events: number): Narrowing | null {
  const { axis, run, where, norm, shape } = place;
  if (axis === null || norm === true || shape !== 'level') return null;
  const [, , observed, expected] = tallyByCode(tally(place, axes.cells(['hour'])), axes.hour);
  const [best] = bestRun(observed, expected, LONGEST_HOURS);
  if (best === undefined || timeGain(best.observed, best.expected, place, RUN_WORTH, events) < LEAST_GAIN) return null;
  const rows = withCodes(place.rows, axes.hour, ...best.run);
  return { ...place, ...best, rows, axis: 'hour', where: new Map([...where, [axis, run[0]]]) };
}

/** How many requests, how many that take longer, what they take and what is usual: of rows, or of cells if these are fewer. */
interface Tally {
  readonly rows: Int32Array;
  readonly columns: readonly [Float64Array, Float64Array, Float64Array, Float64Array];
}

function tally({ rows, quantity: { values }, like, direction }: Narrowing, cells: Cells): Tally {
  const areFew = rows.length <= cells.rows.length;
  const column = () => new Float64Array(areFew ? rows.length : cells.rows.length);
  const [n, longer, observed, expected] = [column(), column(), column(), column()];
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number;
    const at = areFew ? i : (cells.codes[row] as number);
    const [value, usual] = [values[row] as number, like[row] as number];
    n[at] = (n[at] as number) + 1;
    if (direction === 'faster' ? usual > LONGER * value : value > LONGER * usual)
      longer[at] = (longer[at] as number) + 1;
    observed[at] = (observed[at] as number) + value;
    expected[at] = (expected[at] as number) + Math.max(LEAST_USUAL_MS, usual);
  }
  return { rows: areFew ? rows : cells.rows, columns: [n, longer, observed, expected] };
}

function tallyByCode({ rows, columns }: Tally, { codes, size }: Axis): Tally['columns'] {
  return sumByCode(rows, size, (row) => codes[row] as number, ...columns);
}

/** What a narrower place stands out more, in units of the logarithm of a likelihood, with requests that take longer as events. */
function timeGain(observed: number, expected: number, from: Narrowing, worth: number, events: number): number {
  const [more, less] = from.direction === 'faster' ? [expected, observed] : [observed, expected];
  const score = worth * scanScore(more, less);
  if (score <= BETTER * from.score) return 0;
  return ((score - from.score) * events) / Math.abs(from.observed - from.expected);
}

/**
 * The likelihood ratio of two shares of events, inside and outside; 0 if those outside are not far fewer, or if most are outside: what is
 * everywhere, and somewhat more often there, is told as everywhere.
 */
function rateGain(k: number, n: number, events: number, rows: number): number {
  const [outside, others] = [events - k, rows - n];
  if (k < MOST_EVENTS * events || others === 0 || k / n < FAR_MORE * (outside / others)) return 0;
  const logTerm = (some: number, of: number) => (some === 0 ? 0 : some * Math.log(some / of));
  const of = (some: number, all: number) => logTerm(some, all) + logTerm(all - some, all);
  return of(k, n) + of(outside, others) - of(events, rows);
}
