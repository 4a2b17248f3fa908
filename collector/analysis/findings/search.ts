import { binomialTail } from '../../../shared/statistics/binomial-tail.ts';
import { upperTail } from '../../../shared/statistics/upper-tail.ts';
import { type Axes, createAxes } from './axes.ts';
import { compareDays, dated } from './compare-days.ts';
import { compareNorms } from './compare-norms.ts';
import { comparePeers } from './compare-peers.ts';
import { compareSiblings } from './compare-siblings.ts';
import { compareTails } from './compare-tails.ts';
import { createDrawingError, type Drawn } from './drawing-error.ts';
import { type Finding, rankFindings } from './finding.ts';
import { measureQuantities, type Quantity } from './quantities.ts';
import { type Found, joinCauses } from './same-cause.ts';
import type { Judgement, Suspect } from './scan.ts';
import { toFinding, toPlace } from './to-finding.ts';
import type { Waits } from './waits.ts';

/** Less of all waiting is not worth a sentence … */
const MIN_SHARE = 0.01;
/** … unless it is a part of what is told anyway, so that this is told in full … */
const PART = 0.5;
/** … but where a norm says what would be right, it is mended by a setting … */
const MIN_SHARE_OF_NORM = 0.005;
/** … and errors cost more than the time they take. */
const MIN_SHARE_OF_ERRORS = 0.0001;
/** What began yesterday is measured against more than a day. */
const LEAST_PART = 0.25;
/** Thousands of places are compared. */
const MAX_CHANCE = 1e-5;
/** Those of a norm are few. */
const MAX_CHANCE_OF_NORM = 1e-3;
/** With fewer browsers it may be one of them; with fewer days one bad day. */
const MIN_BROWSERS = 5;
const MIN_MINUTES = 3;
/** If all browsers had the same part of it, so many would have as much of it as its few largest: less is the matter of one. */
const MIN_SPREAD = 2;
const MIN_DAYS = 3;
/** Of the days on which it has to hold, and what counts as holding. */
const MOST_DAYS = 0.7;
const HOLDS = 1.2;
/** Logarithm of a typical browser's ratio: with less, few requests make the difference. */
const TYPICAL = Math.log(1.1);
/** A slow request of a tail, times its usual time, and the share of those that a lognormal distribution has. */
const SLOW = 1.5;
const USUALLY_SLOW = 0.03;
/** Of a place's answers: errors that are rarer are nobody's trouble. */
const MIN_ERRORS = 0.03;
const FEW_ERRORS = 5;
const MINUTE_MS = 60_000;
/** More are never acted upon. */
const MAX_FINDINGS = 30;

interface SearchOptions {
  /** Throws once the search is cancelled. */
  readonly checkpoint?: () => void;
  /** A cause that fewer browsers meet is taken away like the others, and not told. */
  readonly minBrowsers?: number;
  /** The parts that were read of a longer range; everything if absent or null. */
  readonly drawn?: Drawn | null;
  /** Told of each suspect and whether it was taken, to see why something is found or not. */
  readonly trace?: (suspect: Suspect, axes: Axes, judgement: Judgement) => void;
}

/**
 * Finds places where users wait and need not, one after the other. The place that stands out most is taken first and its time taken
 * away, then the rest is searched again: whatever stood out only because of it no longer does, and no time is counted twice.
 */
export function searchWaits(
  waits: Waits,
  { checkpoint = () => {}, minBrowsers = 0, drawn = null, trace }: SearchOptions = {},
): Finding[] {
  const axes = createAxes(waits);
  const drawingError = drawn === null ? null : createDrawingError(waits, drawn);
  const found: Found[] = [];
  const seen = new Set<string>();
  let quantities: readonly Quantity[] = measureQuantities(waits);
  // What is compared of one quantity stays until a cure changes it.
  const known = new Map<string, Suspect[]>();
  for (let round = 0; round < MAX_FINDINGS; round++) {
    for (const quantity of quantities) {
      if (known.has(quantity.name)) continue;
      checkpoint();
      known.set(quantity.name, suspectsIn(waits, axes, quantity));
    }
    const chosen = [...known.values()]
      .flat()
      .sort((a, b) => b.score - a.score)
      .find((suspect) => {
        if (seen.has(idOf(suspect, axes))) return false;
        const judgement = judge(suspect, waits);
        trace?.(suspect, axes, judgement);
        return judgement.isCertain;
      });
    if (chosen === undefined) break;
    seen.add(idOf(chosen, axes));
    const best = dated(chosen, waits);
    const judgement = judge(best, waits);
    const finding = toFinding(best, judgement, waits, axes, quantities);
    const cure = () => takeAway(best, axes, waits);
    const missed = drawingError === null ? 0 : drawingError(cure);
    if (drawingError === null) cure();
    if (judgement.units >= minBrowsers) found.push({ finding: widened(finding, judgement, missed), suspect: best });
    const measured = new Map(measureQuantities(waits, best.quantity.touches).map((one) => [one.name, one]));
    quantities = quantities.map((one) => {
      const now = measured.get(one.name);
      if (now?.values.every((ms, row) => Object.is(ms, one.values[row])) !== false) return one;
      known.delete(one.name);
      return now;
    });
  }
  const told = joinCauses(found, waits).filter((one) => isMaterial(one, waits));
  return rankFindings(told.map(({ finding }) => finding));
}

function isMaterial(
  { finding: { savedMs, quantity }, suspect: { norm, since } }: Found,
  { day, totalMs }: Waits,
): boolean {
  if (quantity === 'errors' || quantity === 'unmeasurable') return true;
  const [first, last] = [day.reduce((a, b) => Math.min(a, b)), day.reduce((a, b) => Math.max(a, b))];
  const part = since === null ? 1 : Math.max(LEAST_PART, (last - since + 1) / (last - first + 1));
  return savedMs >= part * (norm === true ? MIN_SHARE_OF_NORM : MIN_SHARE) * totalMs;
}

function suspectsIn(waits: Waits, axes: Axes, quantity: Quantity): Suspect[] {
  const share = quantity.name === 'errors' ? MIN_SHARE_OF_ERRORS : MIN_SHARE;
  const least = PART * share * waits.totalMs;
  return [
    ...compareSiblings(waits, axes, quantity, least),
    ...compareDays(waits, axes, quantity, least),
    ...compareNorms(waits, axes, quantity, Math.min(least, PART * MIN_SHARE_OF_NORM * waits.totalMs)),
    ...comparePeers(waits, axes, quantity, least),
    ...compareTails(waits, axes, quantity, least),
  ];
}

function idOf(suspect: Suspect, axes: Axes): string {
  return JSON.stringify([suspect.quantity.name, suspect.direction, toPlace(suspect, axes)]);
}

/** 95 %. @param missed standard error of not having read everything, a share of the saving */
function widened(finding: Finding, { error }: Judgement, missed: number): Finding {
  if (finding.savedMs === 0) return finding;
  const half = 1.96 * Math.hypot(error, missed * finding.savedMs);
  return { ...finding, savedInterval: [Math.max(0, finding.savedMs - half), finding.savedMs + half] };
}

/**
 * Each kind of request then takes what is usual for it. What got faster is told, and its earlier days are made as fast: they would
 * stand out otherwise.
 */
function takeAway(suspect: Suspect, axes: Axes, { day }: Waits): void {
  const { quantity, rows, observed, expected, direction, since, where, slope, sinceInterval, norm, like } = suspect;
  const { values, stratum } = quantity;
  const faster = direction === 'faster';
  const level = sinceInterval?.[faster ? 1 : 0] ?? 0;
  const kinds = new Map<number, Sums>();
  for (const row of rows) addTo(kinds, stratum[row] as number, values[row] as number, like[row] as number);
  const usually = (row: number) => {
    const { own, usual } = kinds.get(stratum[row] as number) ?? { own: observed, usual: expected };
    return own > 0 && usual > 0 ? usual / own : expected / observed;
  };
  if (slope === undefined && faster) {
    for (const [row, value] of values.entries()) {
      if (Number.isNaN(value) || since === null || (day[row] as number) >= since) continue;
      if ([...where].every(([name, code]) => axes[name].codes[row] === code)) quantity.scale(row, 1 / usually(row));
    }
    return;
  }
  for (const row of rows) {
    const value = values[row] as number;
    if (!(value > 0)) continue;
    if (slope !== undefined) quantity.scale(row, Math.exp(-slope * ((day[row] as number) - level)));
    else quantity.scale(row, norm === true ? (like[row] as number) / value : usually(row));
  }
}

/** Tests the ratio of what was waited to what is usual, by browsers, because requests of one browser are not independent. */
function judge(suspect: Suspect, { table, day }: Waits): Judgement {
  const { quantity, rows, like, axis, shape, direction, norm } = suspect;
  const units = new Map<number, Sums>();
  const days = new Map<number, Sums>();
  for (const row of rows) {
    const unit = axis === 'client' ? Math.floor((table.at[row] as number) / MINUTE_MS) : (table.browser[row] as number);
    addTo(units, unit, quantity.values[row] as number, like[row] as number);
    addTo(days, day[row] as number, quantity.values[row] as number, like[row] as number);
  }
  const { observed, expected } = suspect;
  const n = units.size;
  const spread = (part: (sums: Sums) => number) =>
    Math.sqrt((n / Math.max(1, n - 1)) * [...units.values()].reduce((sum, one) => sum + part(one) ** 2, 0));
  const ratio = expected === 0 ? 0 : observed / expected;
  const ofRatio = spread(({ own, usual }) => own - ratio * usual);
  // Without anything usual, or with a usual part of each request, the ratio does not vary: the sums themselves do.
  const isFixed = ofRatio < 1e-6 * observed || expected === 0;
  const error = isFixed ? spread(({ own, usual }) => own - usual - (observed - expected) / n) : ofRatio;
  const savedMs = direction === 'faster' ? expected - observed : observed - expected;
  const more = [...units.values()].map(({ own, usual }) => own - usual);
  const alone = more.reduce((sum, ms) => sum + ms * ms, 0);
  const judged = { savedMs, error, units: n };
  if (quantity.name === 'errors') return { ...judged, isCertain: isCertainOfErrors(suspect, table) };
  const lasting = [...days.values()].filter(({ own, usual }) => own > HOLDS * usual).length >= MOST_DAYS * days.size;
  const isLasting = shape !== 'level' || axis === null || axis === 'day' || (days.size >= MIN_DAYS && lasting);
  const logs = logsOf([...units.values()], direction);
  const byRatio = error === 0 ? 0 : upperTail(savedMs / error);
  const p = Math.min(byRatio, logs.p, shape === 'tail' ? chanceOfSlow(suspect, table) : 1);
  // Few requests that are slow make a place slow on average: they are a tail of it.
  const isTypical = shape !== 'level' || axis === null || axis === 'day' || axis === 'client' || logs.mean >= TYPICAL;
  return {
    ...judged,
    isCertain:
      n >= (axis === 'client' ? MIN_MINUTES : MIN_BROWSERS) &&
      savedMs ** 2 >= MIN_SPREAD * alone &&
      isLasting &&
      isTypical &&
      p <= (norm === true ? MAX_CHANCE_OF_NORM : MAX_CHANCE),
  };
}

/**
 * The same by logarithms, which a few very slow requests do not spread: how much the browsers' ratios differ from 1, and the
 * probability of that; 1 where they typically hardly do.
 */
function logsOf(
  units: readonly Sums[],
  direction: Suspect['direction'],
): { readonly mean: number; readonly p: number } {
  const known = units.filter(({ own, usual }) => own > 0 && usual > 0);
  const n = known.length;
  if (n < 2) return { mean: 0, p: 1 };
  const sign = direction === 'faster' ? -1 : 1;
  const weights = known.map(({ usual }) => Math.sqrt(usual));
  const logs = known.map(({ own, usual }) => sign * Math.log(own / usual));
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  const mean = logs.reduce((sum, log, i) => sum + (weights[i] as number) * log, 0) / all;
  const squares = logs.reduce((sum, log, i) => sum + ((weights[i] as number) * (log - mean)) ** 2, 0);
  const isKnown = n >= MIN_BROWSERS && mean >= Math.log(HOLDS);
  return { mean, p: isKnown ? upperTail(mean / (Math.sqrt((n / (n - 1)) * squares) / all)) : 1 };
}

/** That so many requests are slow, in several browsers. */
function chanceOfSlow({ rows, quantity, like }: Suspect, { browser }: Waits['table']): number {
  const slow = rows.filter((row) => (quantity.values[row] as number) > SLOW * (like[row] as number));
  const browsers = new Set(slow.map((row) => browser[row] as number)).size;
  return browsers < MIN_BROWSERS ? 1 : binomialTail(slow.length, rows.length, USUALLY_SLOW);
}

interface Sums {
  own: number;
  usual: number;
}

function addTo(sums: Map<number, Sums>, key: number, own: number, usual: number): void {
  const known = sums.get(key);
  if (known === undefined) sums.set(key, { own, usual });
  else {
    known.own += own;
    known.usual += usual;
  }
}

/** Errors are counted: their number has a distribution of its own. */
function isCertainOfErrors({ quantity, rows, observed, expected }: Suspect, table: Waits['table']): boolean {
  const failed = rows.filter((row) => (quantity.values[row] as number) > 0);
  const browsers = new Set(failed.map((row) => table.browser[row] as number)).size;
  const share = failed.length / rows.length;
  if (share < MIN_ERRORS || (browsers < MIN_MINUTES && failed.length < FEW_ERRORS)) return false;
  const answered = quantity.values.reduce((sum, ms) => sum + (Number.isNaN(ms) ? 0 : 1), 0);
  const all = quantity.values.reduce((sum, ms) => sum + (ms > 0 ? 1 : 0), 0);
  const elsewhere = Math.max(1, all - failed.length) / Math.max(1, answered - rows.length);
  const usual = Math.max(observed === 0 ? 0 : share * (expected / observed), elsewhere);
  return binomialTail(failed.length, rows.length, Math.min(1, usual)) <= MAX_CHANCE;
}
