import type { DaySums } from '../../../shared/statistics/lasting-steps.ts';
import { quantileRank } from '../../../shared/statistics/quantile-rank.ts';
import { quickselect } from '../../../shared/statistics/quickselect.ts';
import type { AnyDimension, CellKey } from '../../../shared/vocabulary/dimensions.ts';
import type { Waits } from '../findings/waits.ts';
import type { ChangeStatistic } from './group-change.ts';

/** Requests of a day: the median of fewer varies more than most changes. */
const MIN_REQUESTS = 12;
/** Coarsest clock step of browsers, ms: a shorter time may be the clock's. */
export const COARSE_CLOCK_MS = 1;
/** With fewer, a kind's own level would follow its values, and take a change for granted. */
const MIN_VALUES = 10;
/** Of all days: within so many of the first and of the last one, a kind has to occur. */
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
  /** By day of `sums`. */
  readonly requests: Float64Array;
  /** By day of `sums`; null if unknown. */
  readonly browsers: readonly ReadonlySet<string>[] | null;
  readonly waitedMs: number;
}

/** Saturday or Sunday; day 0 of the epoch was a Thursday. */
function isWeekend(day: number): boolean {
  return (day + 3) % 7 >= 5;
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
  const all: Requests = {
    rows,
    day,
    ms: Float64Array.from(rows, (row) => Math.max(COARSE_CLOCK_MS, table.times.ttlb[row] as number)),
    kind: comparableKinds(waits, rows, day, days.length),
  };
  const counted = table.browsers.map(({ client }) => (counts?.(client) === true ? client : null));
  return (by) =>
    groupRows(waits, rows, by).map(({ key, members }): GroupDays => {
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

/** Of each request: its row, its day from the first one on, its time, and what it is compared with. */
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

/** Where requests belong that have this in common. */
function groupRows(waits: Waits, rows: Int32Array, dimensions: readonly AnyDimension[]) {
  const keys: CellKey[] = [];
  const members: number[][] = [];
  const known = new Map<string, number>();
  const places = new Map<number, number>();
  for (const [i, row] of rows.entries()) {
    const site = waits.site[row] as number;
    const place = (waits.table.group[row] as number) * (waits.sites.length + 1) + site + 1;
    let index = places.get(place);
    if (index === undefined) {
      const { target, host, type, template } = waits.groupOf(row);
      const values: CellKey = { target, host, type, template, site: waits.sites[site] ?? null };
      const key = Object.fromEntries(dimensions.map((name) => [name, values[name] ?? null]));
      const id = JSON.stringify(key);
      index = known.get(id) ?? keys.push(key) - 1;
      known.set(id, index);
      places.set(place, index);
    }
    const own = members[index];
    if (own === undefined) members[index] = [i];
    else own.push(i);
  }
  return keys.map((key, index) => ({ key, members: Int32Array.from(members[index] as number[]) }));
}

/**
 * What each request is compared with: the same page asked from the same site. One that is rare, or that began or ended in between, as
 * a page with a new address does, has no level of its own: it is compared with the others of the host and type from that site, or else
 * from all sites.
 */
function comparableKinds(waits: Waits, rows: Int32Array, day: Int32Array, days: number): Int32Array {
  const { site, sites, groupOf, table } = waits;
  const names = [
    (row: number) => `${table.group[row]} ${site[row]}`,
    (row: number) => `${hostAndType(groupOf(row))} ${site[row]}`,
    (row: number) => hostAndType(groupOf(row)),
  ];
  const found = new Int32Array(rows.length).fill(-1);
  let kinds = 0;
  for (const [level, name] of names.entries()) {
    const code = new Map<string, number>();
    const cache = new Map<number, number>();
    const own = found.map((kind, i) => {
      if (kind >= 0) return -1;
      const row = rows[i] as number;
      const place = (table.group[row] as number) * (sites.length + 1) + (site[row] as number) + 1;
      let index = cache.get(place);
      if (index === undefined) {
        const id = name(row);
        index = code.get(id) ?? code.size;
        code.set(id, index);
        cache.set(place, index);
      }
      return index;
    });
    const n = new Int32Array(code.size);
    const from = new Int32Array(code.size).fill(days);
    const to = new Int32Array(code.size).fill(-1);
    for (const [i, index] of own.entries()) {
      if (index < 0) continue;
      n[index] = (n[index] as number) + 1;
      from[index] = Math.min(from[index] as number, day[i] as number);
      to[index] = Math.max(to[index] as number, day[i] as number);
    }
    const isLasting = (index: number) =>
      (n[index] as number) >= MIN_VALUES &&
      (from[index] as number) < EDGE * days &&
      (to[index] as number) >= days - EDGE * days;
    for (const [i, index] of own.entries()) {
      if (index >= 0 && (level === names.length - 1 || isLasting(index))) found[i] = kinds + index;
    }
    kinds += code.size;
  }
  return found;
}

function hostAndType({
  target,
  host,
  type,
}: {
  readonly target: string;
  readonly host: string;
  readonly type: string;
}) {
  return JSON.stringify([target, host, type]);
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
