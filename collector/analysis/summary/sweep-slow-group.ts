import { upperTail } from '../../../shared/statistics/upper-tail.ts';
import { PHASES } from '../../../shared/vocabulary/time-names.ts';
import {
  NOT_RETRANSMITTED,
  SLOW_DIMENSIONS,
  type SlowDimension,
  type SlowGroupRows,
} from '../../reductions/slow-group-rows.ts';
import type { SlowGroup, SlowPhase, SlowValue } from './summary-document.ts';

/** Fewer slow requests have too little in common by chance. */
const MIN_SLOW = 20;
/** Of them, requests with the same value, from as many browsers (hours if it is about one browser). */
const MIN_ALIKE = 10;
const MIN_UNITS = 3;
/** Of the slow group, what would be gone if requests with the value were no slower than others. */
const MIN_EXPLAINED = 0.2;
/** A value that explains almost as much is preferred if its dimension says better where to look. */
const MAX_WEAKER = 0.05;
/** Times as often as elsewhere. */
const MIN_RATIO = 1.5;
/** With fewer others to compare with, nothing is known of what is usual. */
const MIN_COMPARED = 20;
/** A phase that is less than half of the time is not what the time is spent on. */
const MIN_PHASE = 0.5;
/** Of all values of a slow group, at most one may be named by chance. */
const FALSE_ALARMS = 0.05;
const Z_95 = 1.96;

export interface SweepOptions {
  /** Whether this may be named; all may by default. */
  readonly mayName?: (dimension: SlowDimension, value: string | null) => boolean;
  /** Browsers that have to be in what is named, and in the rest of the slow group unless that is empty; 0 by default. */
  readonly minBrowsers?: number;
  /** Whether a browser counts among them; all do by default. */
  readonly counts?: (client: string) => boolean;
}

/**
 * What slow requests have in common: of each value of each dimension, its share of the slow group against its share of the
 * others. Named are the two strongest that hold once the other is given: a site is not named for the page that is used there.
 * Errors are those of browsers, not of requests (linearized, as for any ratio of a cluster sample).
 */
export function sweepSlowGroup(rows: SlowGroupRows, options: SweepOptions = {}): SlowGroup {
  const slow = rows.slow.reduce((sum, one) => sum + one, 0);
  const base = {
    slow,
    others: rows.n - slow,
    phase: null,
    values: [],
    notReported: (options.minBrowsers ?? 0) > 1 ? null : notReportedIn(rows),
  };
  if (slow === 0) return { ...base, reason: 'none' };
  if (slow < MIN_SLOW || slow === rows.n) return { ...base, reason: 'few_slow' };
  const found = strongest(candidatesIn(rows), rows);
  const shown = found.filter((one) => isShown(rows, one, options));
  const phase = isShownAtAll(rows, options) ? leadingPhase(rows) : null;
  const values = shown.map(
    ({ dimension, value, ...compared }): SlowValue => ({
      dimension,
      value,
      inside: compared.inside,
      outside: compared.outside,
      interval: intervalOf(compared),
    }),
  );
  const withheld = shown.length < found.length || !isShownAtAll(rows, options);
  const reason = values.length > 0 || phase !== null ? null : withheld ? 'few_browsers' : 'nothing_stands_out';
  return { ...base, phase, values, reason };
}

interface Association {
  readonly inside: number;
  /** Of the others; given something else, of those that are alike in it. */
  readonly outside: number;
  /** Standard error of the difference. */
  readonly error: number;
}

interface Candidate extends Association {
  readonly dimension: SlowDimension;
  readonly value: string | null;
  /** 1 per row with the value. */
  readonly member: Uint8Array;
  readonly unit: Int32Array;
  /** Of all such values (Bonferroni). */
  readonly tests: number;
}

function candidatesIn(rows: SlowGroupRows): Candidate[] {
  const counted = SLOW_DIMENSIONS.flatMap((dimension) => {
    const unit = dimension === 'client' ? rows.hour : rows.client;
    return countsOf(rows, dimension).map((counts) => ({ ...counts, dimension, unit }));
  });
  const tested = counted.filter(({ alike, value }) => alike >= MIN_ALIKE && value !== NOT_RETRANSMITTED);
  const tests = tested.length;
  return tested
    .filter(({ share }) => isMaterial(share))
    .map(({ dimension, code, value, unit }): Candidate => {
      const member = rows.codes[dimension].reduce((flags, one, row) => {
        if (one === code) flags[row] = 1;
        return flags;
      }, new Uint8Array(rows.n));
      return { dimension, value, member, unit, tests, ...associationOf(rows, member, null, unit) };
    })
    .filter(({ member, unit }) => unitsOf(rows, member, unit) >= MIN_UNITS);
}

function countsOf({ slow, codes, values, n }: SlowGroupRows, dimension: SlowDimension) {
  const names = values[dimension];
  const inside = new Float64Array(names.length + 1);
  const outside = new Float64Array(names.length + 1);
  let all = 0;
  for (let row = 0; row < n; row++) {
    const place = (codes[dimension][row] as number) + 1;
    const counts = slow[row] === 1 ? inside : outside;
    counts[place] = (counts[place] as number) + 1;
    all += slow[row] as number;
  }
  return Array.from(inside, (alike, place) => ({
    code: place - 1,
    value: place === 0 ? null : (names[place - 1] as string),
    alike,
    share: { inside: alike / Math.max(1, all), outside: (outside[place] as number) / Math.max(1, n - all) },
  }));
}

function isMaterial({ inside, outside }: Pick<Association, 'inside' | 'outside'>): boolean {
  return explainedBy({ inside, outside }) >= MIN_EXPLAINED && inside >= MIN_RATIO * outside;
}

/** The part of the slow group that would be gone if the value's requests were as seldom slow as the others. */
function explainedBy({ inside, outside }: Pick<Association, 'inside' | 'outside'>): number {
  return outside >= 1 ? 0 : (inside - outside) / (1 - outside);
}

function stands(one: Association, tests: number): boolean {
  return isMaterial(one) && isCertain(one, tests);
}

function isCertain({ inside, outside, error }: Association, tests: number): boolean {
  return upperTail((inside - outside) / error) * tests <= FALSE_ALARMS;
}

/**
 * @param given 1 per row with another value: rows are then compared only with those that are alike in it. What too little can be
 * compared with counts as usual.
 */
function associationOf(
  { slow, n }: SlowGroupRows,
  member: Uint8Array,
  given: Uint8Array | null,
  unit: Int32Array,
): Association {
  const inside = [0, 0];
  const outside = [0, 0];
  const alike = [0, 0];
  const alikeOutside = [0, 0];
  for (let row = 0; row < n; row++) {
    const stratum = given === null ? 0 : (given[row] as number);
    const [counts, members] = slow[row] === 1 ? [inside, alike] : [outside, alikeOutside];
    counts[stratum] = (counts[stratum] as number) + 1;
    members[stratum] = (members[stratum] as number) + (member[row] as number);
  }
  const at = (counts: readonly number[], stratum: number) => counts[stratum] as number;
  const total = at(inside, 0) + at(inside, 1);
  const usual = [0, 1].map((stratum) =>
    at(outside, stratum) >= MIN_COMPARED
      ? at(alikeOutside, stratum) / at(outside, stratum)
      : at(inside, stratum) > 0
        ? at(alike, stratum) / at(inside, stratum)
        : 0,
  );
  const shares = [0, 1].map((stratum) => (at(inside, stratum) > 0 ? at(alike, stratum) / at(inside, stratum) : 0));
  const share = (at(alike, 0) + at(alike, 1)) / total;
  const expected = (at(inside, 0) * at(usual, 0) + at(inside, 1) * at(usual, 1)) / total;
  const deviations = new Map<number, number>();
  for (let row = 0; row < n; row++) {
    const stratum = given === null ? 0 : (given[row] as number);
    const own = member[row] as number;
    const deviation =
      slow[row] === 1
        ? (own - at(shares, stratum)) / total
        : ((at(usual, stratum) - own) * at(inside, stratum)) / total / at(outside, stratum);
    const one = unit[row] as number;
    deviations.set(one, (deviations.get(one) ?? 0) + deviation);
  }
  return { inside: share, outside: expected, error: errorOf(deviations) };
}

function errorOf(deviations: ReadonlyMap<number, number>): number {
  const units = deviations.size;
  if (units < 2) return Number.POSITIVE_INFINITY;
  let squares = 0;
  for (const deviation of deviations.values()) squares += deviation ** 2;
  return Math.sqrt((units / (units - 1)) * squares);
}

/** At most two, neither of which is only there because of the other. */
function strongest(candidates: readonly Candidate[], rows: SlowGroupRows): Candidate[] {
  const holds = (one: Candidate, given: Candidate) =>
    stands(associationOf(rows, one.member, given.member, one.unit), one.tests);
  /** Says the same, and better where to look. */
  const betterName = (one: Candidate, among: readonly Candidate[]) =>
    among
      .filter((other) => placeOf(other) < placeOf(one) && explainedBy(other) >= explainedBy(one) - MAX_WEAKER)
      .sort((a, b) => placeOf(a) - placeOf(b))
      .find((other) => !holds(one, other) && !holds(other, one)) ?? one;
  const sorted = [...candidates].sort(byStrength);
  const most = sorted.find((one) => stands(one, one.tests));
  if (most === undefined) return [];
  let first = betterName(most, sorted);
  let rest = sorted.filter((one) => one !== first);
  for (;;) {
    const leading: Candidate = first;
    const given = rest
      .map((one) => ({ one, ...associationOf(rows, one.member, leading.member, one.unit) }))
      .filter(({ one, ...association }) => stands(association, one.tests))
      .sort(byStrength);
    const second = given[0]?.one;
    if (second === undefined) return [leading];
    if (holds(leading, second)) return [leading, betterName(second, rest)];
    first = betterName(second, rest);
    rest = rest.filter((one) => one !== first);
  }
}

function placeOf({ dimension }: Candidate): number {
  return SLOW_DIMENSIONS.indexOf(dimension);
}

function byStrength(a: Pick<Association, 'inside' | 'outside'>, b: Pick<Association, 'inside' | 'outside'>): number {
  return explainedBy(b) - explainedBy(a);
}

function leadingPhase({ slow, client, ttlb, phases, n }: SlowGroupRows): SlowPhase | null {
  const totals = [0, 0];
  for (let row = 0; row < n; row++)
    totals[slow[row] as number] = (totals[slow[row] as number] as number) + (ttlb[row] as number);
  const [others, whole] = totals as [number, number];
  const found = PHASES.map((phase) => {
    const ms = (row: number) => (Number.isNaN(phases[phase][row] as number) ? 0 : (phases[phase][row] as number));
    const sums = [0, 0];
    for (let row = 0; row < n; row++) sums[slow[row] as number] = (sums[slow[row] as number] as number) + ms(row);
    const [outside, inside] = [others === 0 ? 0 : (sums[0] as number) / others, (sums[1] as number) / whole];
    const deviations = new Map<number, number>();
    for (let row = 0; row < n; row++) {
      const deviation =
        slow[row] === 1
          ? (ms(row) - inside * (ttlb[row] as number)) / whole
          : -(ms(row) - outside * (ttlb[row] as number)) / others;
      deviations.set(client[row] as number, (deviations.get(client[row] as number) ?? 0) + deviation);
    }
    return { phase, inside, outside, error: errorOf(deviations) };
  });
  const most = found.sort((a, b) => b.inside - a.inside)[0];
  if (most === undefined || most.inside < MIN_PHASE || explainedBy(most) < MIN_EXPLAINED) return null;
  if (!isCertain(most, PHASES.length)) return null;
  return { phase: most.phase, inside: most.inside, outside: most.outside, interval: intervalOf(most) };
}

function intervalOf({ inside, outside, error }: Association): [number, number] {
  return [inside - outside - Z_95 * error, inside - outside + Z_95 * error];
}

function unitsOf({ slow, n }: SlowGroupRows, member: Uint8Array, unit: Int32Array): number {
  const units = new Set<number>();
  for (let row = 0; row < n; row++) if (slow[row] === 1 && member[row] === 1) units.add(unit[row] as number);
  return units.size;
}

function notReportedIn(rows: SlowGroupRows): SlowGroup['notReported'] {
  const counted = SLOW_DIMENSIONS.flatMap((dimension) => {
    const unknown = countsOf(rows, dimension)[0];
    if (unknown === undefined || !(unknown.share.inside > 0 || unknown.share.outside > 0)) return [];
    return [[dimension, unknown.share] as const];
  });
  return Object.fromEntries(counted);
}

/** The browsers that count, of the slow requests for which it holds. */
function browsersOf(
  { slow, client, values, n }: SlowGroupRows,
  holds: (row: number) => boolean,
  { counts }: SweepOptions,
): number {
  const found = new Set<number>();
  for (let row = 0; row < n; row++) {
    const one = client[row] as number;
    if (slow[row] === 1 && holds(row) && (counts?.(values.client[one] ?? '') ?? true)) found.add(one);
  }
  return found.size;
}

function isShownAtAll(rows: SlowGroupRows, options: SweepOptions): boolean {
  return browsersOf(rows, () => true, options) >= (options.minBrowsers ?? 0);
}

function isShown(rows: SlowGroupRows, { dimension, value, member }: Candidate, options: SweepOptions): boolean {
  const { minBrowsers = 0, mayName } = options;
  if (mayName?.(dimension, value) === false) return false;
  if (minBrowsers <= 1) return true;
  const others = browsersOf(rows, (row) => member[row] === 0, options);
  return (
    browsersOf(rows, (row) => member[row] === 1, options) >= minBrowsers && (others === 0 || others >= minBrowsers)
  );
}
