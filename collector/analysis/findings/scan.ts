import { type Axes, type Axis, type AxisName, combineAxes, RUNS } from './axes.ts';
import type { Shape } from './finding.ts';
import type { Quantity } from './quantities.ts';

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

/** Places of one axis, alone and with each of `by`, that stand out most. */
export function scanPlaces(
  quantity: Quantity,
  rows: Int32Array,
  like: Float32Array,
  axes: Axes,
  axis: AxisName | null,
  by: readonly (readonly AxisName[])[],
  least: number,
  shape: 'level' | 'tail' = 'level',
): Omit<Suspect, 'rows'>[] {
  const { codes, size } = axis === null ? { codes: null, size: 1 } : axes[axis];
  return by.flatMap((names) => {
    const combined = combineAxes(axes, names);
    const places = combined.size;
    const observed = new Float64Array(places * size);
    const expected = new Float64Array(places * size);
    for (const row of rows) {
      const usual = like[row] as number;
      const code = codes === null ? 0 : (codes[row] as number);
      if (Number.isNaN(usual) || code < 0) continue;
      const place = combined.codeAt(row);
      if (place < 0) continue;
      const cell = place * size + code;
      observed[cell] = (observed[cell] as number) + (quantity.values[row] as number);
      expected[cell] = (expected[cell] as number) + usual;
    }
    const found: Omit<Suspect, 'rows'>[] = [];
    for (let place = 0; place < places; place++) {
      const at = place * size;
      const best =
        axis !== null && RUNS.has(axis)
          ? bestRun(
              observed.subarray(at, at + size),
              expected.subarray(at, at + size),
              axis === 'day' ? LONGEST_DAYS : LONGEST_HOURS,
            )
          : bestCodes(observed.subarray(at, at + size), expected.subarray(at, at + size));
      for (const one of best) {
        if (one.observed - one.expected < least) continue;
        const where = combined.split(place);
        found.push({
          quantity,
          shape,
          direction: 'slower',
          since: null,
          sinceInterval: null,
          axis,
          where,
          like,
          ...one,
        });
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
  const { quantity, axis, like, run, direction } = found;
  const codes = axis === null ? null : axes[axis].codes;
  const inside = Array.from(
    rows.filter((row) => {
      if (Number.isNaN(like[row] as number)) return false;
      if (codes !== null && ((codes[row] as number) < run[0] || (codes[row] as number) >= run[1])) return false;
      for (const [name, own] of found.where) if (axes[name].codes[row] !== own) return false;
      return true;
    }),
  );
  const isLonger = (row: number) => {
    const [value, usual] = [quantity.values[row] as number, like[row] as number];
    return direction === 'faster' ? usual > LONGER * value : value > LONGER * usual;
  };
  const worth = axis !== null && RUNS.has(axis) ? RUN_WORTH : 1;
  const whole = (own: readonly number[], where: Suspect['where']): Suspect => {
    let [observed, expected] = [0, 0];
    for (const row of own) {
      observed += quantity.values[row] as number;
      expected += like[row] as number;
    }
    const least = own.length * LEAST_USUAL_MS;
    const score =
      worth * (direction === 'faster' ? scanScore(expected, observed) : scanScore(observed, Math.max(expected, least)));
    return { ...found, where, rows: own, observed, expected, score };
  };
  let suspect = whole(inside, found.where);
  for (;;) {
    let best: { readonly name: AxisName; readonly code: number; readonly gain: number } | null = null;
    const events = suspect.rows.filter(isLonger).length;
    for (const name of by) {
      if (name === axis || suspect.where.has(name)) continue;
      const counts = countByCode(suspect, axes[name], isLonger);
      for (let code = 0; code < counts.n.length; code++) {
        const gain =
          found.norm === true || found.shape === 'tail'
            ? rateGain(counts.longer[code] as number, counts.n[code] as number, events, suspect.rows.length)
            : timeGain(counts.observed[code] as number, counts.expected[code] as number, suspect, worth, events);
        if (gain > (best?.gain ?? LEAST_GAIN)) best = { name, code, gain };
      }
    }
    if (best === null) return axis === 'site' ? (inHours(suspect, axes, isLonger) ?? suspect) : suspect;
    const { name, code } = best;
    suspect = whole(
      suspect.rows.filter((row) => axes[name].codes[row] === code),
      new Map([...suspect.where, [name, code]]),
    );
  }
}

/** A site's hours, if what it differs in is in these only; null if not. */
function inHours(suspect: Suspect, axes: Axes, isLonger: (row: number) => boolean): Suspect | null {
  const { axis, run, where, norm, shape } = suspect;
  if (axis === null || norm === true || shape !== 'level') return null;
  const { observed, expected } = countByCode(suspect, axes.hour, isLonger);
  const [best] = bestRun(observed, expected, LONGEST_HOURS);
  const events = suspect.rows.filter(isLonger).length;
  if (best === undefined || timeGain(best.observed, best.expected, suspect, RUN_WORTH, events) < LEAST_GAIN)
    return null;
  const rows = suspect.rows.filter((row) => {
    const hour = axes.hour.codes[row] as number;
    return hour >= best.run[0] && hour < best.run[1];
  });
  return { ...suspect, ...best, rows, axis: 'hour', where: new Map([...where, [axis, run[0]]]) };
}

function countByCode({ rows, quantity, like }: Suspect, { codes, size }: Axis, isLonger: (row: number) => boolean) {
  const [n, longer, observed, expected] = Array.from({ length: 4 }, () => new Float64Array(size)) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  for (const row of rows) {
    const code = codes[row] as number;
    if (code < 0) continue;
    n[code] = (n[code] as number) + 1;
    if (isLonger(row)) longer[code] = (longer[code] as number) + 1;
    observed[code] = (observed[code] as number) + (quantity.values[row] as number);
    expected[code] = (expected[code] as number) + Math.max(LEAST_USUAL_MS, like[row] as number);
  }
  return { n, longer, observed, expected };
}

/** What a narrower place stands out more, in units of the logarithm of a likelihood, with requests that take longer as events. */
function timeGain(observed: number, expected: number, from: Suspect, worth: number, events: number): number {
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
