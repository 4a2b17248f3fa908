import type { DaySums } from '../../../shared/statistics/lasting-steps.ts';
import { quantileRank } from '../../../shared/statistics/quantile-rank.ts';
import { quickselect } from '../../../shared/statistics/quickselect.ts';
import type { AnyDimension, CellKey } from '../../../shared/vocabulary/dimensions.ts';
import type { RequestGroup } from '../../reductions/request-table.ts';
import type { Waits } from '../findings/waits.ts';
import { isWeekend } from '../time/business-hours.ts';
import type { ChangeStatistic } from './group-change.ts';

/** Requests of a day: the median of fewer varies more than most changes. */
const MIN_REQUESTS = 12;
/** Coarsest clock step of browsers, ms: a shorter time may be the clock's. */
export const COARSE_CLOCK_MS = 1;
/** With fewer, a kind's own level would follow its values, and take a change for granted. */
const MIN_VALUES = 10;
/** A kind has to occur within this share of the days from either end. */
const EDGE = 0.25;
/** Levels of kinds and of days are fitted by turns, and hardly move after the third. */
const ROUNDS = 3;

/** The days of a group. Times are ms. */
export interface GroupDays {
  readonly key: CellKey;
  /** Observed ÷ expected is what a day's requests take, compared with what the same requests take on other days. */
  readonly sums: Readonly<Record<ChangeStatistic, DaySums>>;
  /** That of a day whose observed and expected sums are equal. */
  readonly level: Readonly<Record<ChangeStatistic, number>>;
  /** One count for each day of `sums`. */
  readonly requests: Float64Array;
  /** One set for each day of `sums`; null if unknown. */
  readonly browsers: readonly ReadonlySet<string>[] | null;
  readonly waitedMs: number;
}

interface Options {
  /** Days since 1970, from the first to the last one. */
  readonly days: readonly [number, number];
  /** A day with fewer is not compared. */
  readonly minBrowsers: number;
  /** Which browsers count; null if they are no users' browsers. */
  readonly counts: ((client: string) => boolean) | null;
}

/** Groups requests by some dimensions, each group's days as they would be with the same mix of requests every day. */
export function createLikeDays(
  waits: Waits,
  { days: [first, last], minBrowsers, counts }: Options,
): (by: readonly AnyDimension[]) => GroupDays[] {
  const { table } = waits;
  const rows = waits.waited.filter((row) => (waits.day[row] as number) >= first && (waits.day[row] as number) <= last);
  const days = Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i);
  const day = rows.map((row) => (waits.day[row] as number) - first);
  const places = toPlaces(waits, rows);
  const all: Requests = {
    rows,
    day,
    ms: Float64Array.from(rows, (row) => Math.max(COARSE_CLOCK_MS, table.times.ttlb[row] as number)),
    kind: comparableKinds(places, day, days.length),
  };
  const counted = table.browsers.map(({ client }) => (counts?.(client) === true ? client : null));
  return (by) =>
    groupRows(places, by).map(({ key, members }): GroupDays => {
      const own = pick(all, members);
      const browsers = days.map(() => new Set<string>());
      for (const [i, row] of own.rows.entries()) {
        const client = counted[table.browser[row] as number] ?? null;
        if (client !== null) browsers[own.day[i] as number]?.add(client);
      }
      const isShown = (index: number) => minBrowsers <= 1 || (browsers[index]?.size ?? 0) >= minBrowsers;
      return { key, ...fitDays(own, days, isShown), browsers: counts === null ? null : browsers };
    });
}

/** One entry per request: its row, its day counted from the first one, its time, and its kind. */
interface Requests {
  readonly rows: Int32Array;
  readonly day: Int32Array;
  readonly ms: Float64Array;
  readonly kind: Int32Array;
}

function pick({ rows, day, ms, kind }: Requests, members: Int32Array): Requests {
  return {
    rows: members.map((i) => rows[i] as number),
    day: members.map((i) => day[i] as number),
    ms: Float64Array.from(members, (i) => ms[i] as number),
    kind: members.map((i) => kind[i] as number),
  };
}

/** What is asked for and from where, as one code per request. */
interface Places {
  readonly of: Int32Array;
  readonly size: number;
  read(place: number): RequestGroup & { readonly site: string | null };
}

function toPlaces({ table, site, sites }: Waits, rows: Int32Array): Places {
  const width = sites.length + 1;
  return {
    of: rows.map((row) => (table.group[row] as number) * width + (site[row] as number) + 1),
    size: table.groups.length * width,
    read: (place) => ({
      ...(table.groups[Math.floor(place / width)] as RequestGroup),
      site: sites[(place % width) - 1] ?? null,
    }),
  };
}

/** Numbers what places have in common, in order of first occurrence. @param of places, −1 for those not asked */
function numberPlaces(of: Int32Array, { size, read }: Places, name: (place: ReturnType<Places['read']>) => string) {
  const byPlace = new Int32Array(size).fill(-1);
  const names = new Map<string, number>();
  const codes = of.map((place) => {
    if (place < 0) return -1;
    const known = byPlace[place] as number;
    if (known >= 0) return known;
    const id = name(read(place));
    const code = names.get(id) ?? names.size;
    names.set(id, code);
    byPlace[place] = code;
    return code;
  });
  return { codes, names: [...names.keys()] };
}

/** Requests by what they have in common. */
function groupRows(places: Places, dimensions: readonly AnyDimension[]) {
  const { codes, names } = numberPlaces(places.of, places, (place: CellKey) =>
    JSON.stringify(Object.fromEntries(dimensions.map((dimension) => [dimension, place[dimension] ?? null]))),
  );
  const sizes = countBy(codes, names.length);
  const members = Array.from(sizes, (size) => new Int32Array(size));
  const next = new Int32Array(names.length);
  for (const [i, code] of codes.entries()) {
    (members[code] as Int32Array)[next[code] as number] = i;
    next[code] = (next[code] as number) + 1;
  }
  return names.map((name, code) => ({ key: JSON.parse(name) as CellKey, members: members[code] as Int32Array }));
}

/**
 * The kind that each request is compared with: the same page requested from the same site. A kind that is rare, or that began or ended in between, as
 * a page with a new address does, has no level of its own: it is compared with the others of its app, host and type from that site, or else
 * from all sites.
 */
function comparableKinds(places: Places, day: Int32Array, days: number): Int32Array {
  const levels = [
    (place: object) => JSON.stringify(place),
    ({ target, host, type, site }: CellKey) => JSON.stringify([target, host, type, site]),
    ({ target, host, type }: CellKey) => JSON.stringify([target, host, type]),
  ];
  const found = new Int32Array(day.length).fill(-1);
  let kinds = 0;
  for (const [level, name] of levels.entries()) {
    const { codes, names } = numberPlaces(
      places.of.map((place, i) => ((found[i] as number) < 0 ? place : -1)),
      places,
      name,
    );
    const n = new Int32Array(names.length);
    const from = new Int32Array(names.length).fill(days);
    const to = new Int32Array(names.length).fill(-1);
    for (const [i, code] of codes.entries()) {
      if (code < 0) continue;
      n[code] = (n[code] as number) + 1;
      from[code] = Math.min(from[code] as number, day[i] as number);
      to[code] = Math.max(to[code] as number, day[i] as number);
    }
    const isLasting = n.map((count, code) =>
      count >= MIN_VALUES && (from[code] as number) < EDGE * days && (to[code] as number) >= days - EDGE * days ? 1 : 0,
    );
    for (const [i, code] of codes.entries()) {
      if (code >= 0 && (level === levels.length - 1 || isLasting[code] === 1)) found[i] = kinds + code;
    }
    kinds += names.length;
  }
  return found;
}

/** A level for each kind and a factor for each day (two-way fit), by sums and by medians. */
function fitDays(
  { day, ms, kind: all }: Requests,
  days: readonly number[],
  isShown: (day: number) => boolean,
): Omit<GroupDays, 'key' | 'browsers'> {
  const { codes: kind, size: kinds } = renumbered(all);
  const requests = countBy(day, days.length);
  const factor = new Float64Array(days.length).fill(1);
  const level = new Float64Array(kinds);
  const observed = sumBy(day, days.length, (i) => ms[i] as number);
  let expected = new Float64Array(days.length);
  for (let round = 0; round < ROUNDS; round++) {
    const own = sumBy(kind, kinds, (i) => ms[i] as number);
    const usual = sumBy(kind, kinds, (i) => factor[day[i] as number] as number);
    level.set(own.map((sum, one) => sum / (usual[one] as number)));
    expected = sumBy(day, days.length, (i) => level[kind[i] as number] as number);
    factor.set(observed.map((sum, one) => ((expected[one] as number) > 0 ? sum / (expected[one] as number) : 1)));
  }
  const logs = ms.map(Math.log);
  // Medians by turns end where they begin to agree, so they begin near the answer.
  let shift = factor.map(Math.log);
  for (let round = 0; round < ROUNDS; round++) {
    const usual = mediansBy(kind, kinds, (i) => (logs[i] as number) - (shift[day[i] as number] as number));
    shift = mediansBy(day, days.length, (i) => (logs[i] as number) - (usual[kind[i] as number] as number));
  }
  const apart = days.map(isWeekend);
  const known = expected.map((sum, one) => ((requests[one] as number) >= MIN_REQUESTS && isShown(one) ? sum : 0));
  const waitedMs = ms.reduce((sum, one) => sum + one, 0);
  return {
    sums: {
      median: { days, apart, expected: known, observed: known.map((sum, one) => sum * Math.exp(shift[one] as number)) },
      mean: { days, apart, expected: known, observed },
    },
    level: {
      median: Math.exp(middle(logs.map((log, i) => log - (shift[day[i] as number] as number)))),
      mean: expected.reduce((sum, one) => sum + one, 0) / ms.length,
    },
    requests,
    waitedMs,
  };
}

function renumbered(codes: Int32Array) {
  const known = new Map<number, number>();
  const renamed = codes.map((code) => {
    const own = known.get(code) ?? known.size;
    known.set(code, own);
    return own;
  });
  return { codes: renamed, size: known.size };
}

function countBy(codes: Int32Array, size: number): Float64Array {
  return sumBy(codes, size, () => 1);
}

function sumBy(codes: Int32Array, size: number, value: (i: number) => number): Float64Array<ArrayBuffer> {
  const sums = new Float64Array(size);
  for (let i = 0; i < codes.length; i++) sums[codes[i] as number] = (sums[codes[i] as number] as number) + value(i);
  return sums;
}

/** 0 for a code that does not occur. */
function mediansBy(codes: Int32Array, size: number, value: (i: number) => number): Float64Array<ArrayBuffer> {
  const ends = countBy(codes, size);
  for (let code = 1; code < size; code++) ends[code] = (ends[code] as number) + (ends[code - 1] as number);
  const next = Int32Array.from(ends, (_, code) => ends[code - 1] ?? 0);
  const ordered = new Float64Array(codes.length);
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i] as number;
    ordered[next[code] as number] = value(i);
    next[code] = (next[code] as number) + 1;
  }
  return Float64Array.from(ends, (end, code) => middle(ordered.subarray(ends[code - 1] ?? 0, end)));
}

/** Reorders the values. */
function middle(values: Float64Array): number {
  return values.length === 0 ? 0 : quickselect(values, quantileRank(0.5, values.length));
}

/** Days as rollups have them: with more of the slow pages, a day looks like a slower one. @param days as `GroupDays.sums` */
export function rolledUpDays(
  key: CellKey,
  days: readonly number[],
  values: readonly ({ readonly n: number; readonly median: number; readonly mean: number } | null)[],
): GroupDays {
  const requests = Float64Array.from(values, (value) => value?.n ?? 0);
  const expected = requests.map((n) => (n < MIN_REQUESTS ? 0 : n));
  const apart = days.map(isWeekend);
  const of = (statistic: ChangeStatistic): DaySums => ({
    days,
    apart,
    expected,
    observed: expected.map((n, i) => n * Math.max(COARSE_CLOCK_MS, values[i]?.[statistic] ?? 0)),
  });
  const sums = { median: of('median'), mean: of('mean') };
  const waitedMs = sums.mean.observed.reduce((sum, ms) => sum + ms, 0);
  return { key, sums, level: { median: 1, mean: 1 }, requests, browsers: null, waitedMs };
}
