import {
  CONNECTION,
  OUTCOME,
  type RequestGroup,
  type RequestTable,
  TABLE_TIMES,
  type TableTime,
} from '../../reductions/request-table.ts';

/** Requests that pages send without waiting for the answer. */
const NOT_WAITED_FOR = 'beacon';
/** Fewer requests of a path say nothing of it by themselves. */
const RARE = 10;
/** A request that lasts longer than this by design, such as long-polling, is nothing that users wait for. */
const LONG_LIVED_MS = 10_000;

/**
 * The requests that findings are sought in, and what is left of their times: a cause that was found takes its time away, so
 * that no other cause is credited with it.
 */
export interface Waits {
  readonly table: RequestTable;
  /** What is left. NaN if unknown. */
  readonly left: Readonly<Record<TableTime, Float32Array>>;
  /** All of them. */
  readonly rows: Int32Array;
  /** Rows whose phases are known. */
  readonly timed: Int32Array;
  /** Rows that users waited for: the timed ones, and those of which only the total is known. */
  readonly waited: Int32Array;
  /** The timed rows of each of `hosts`, and of each of `sites`. */
  readonly timedOf: Readonly<Record<'host' | 'site', readonly Int32Array[]>>;
  /** Sum of `ttlb` of all that were waited for, and of redirects, before anything was taken away. */
  readonly totalMs: number;
  /** Of requests over the network. */
  readonly requests: number;
  /** Browsers that sent these; their ids change monthly. */
  readonly browsers: number;
  /** Per row, what it is compared with: the same group; rare ones with the other rare ones of their app, host and type. */
  readonly kind: Int32Array;
  readonly kinds: number;
  /** Per row, requests that are alike: the same kind on the same kind of connection. */
  readonly stratum: Int32Array;
  readonly strata: number;
  /** Per row, index into `sites`; −1 without a site. */
  readonly site: Int32Array;
  readonly sites: readonly string[];
  /** Per row, index into `hosts`. */
  readonly host: Int32Array;
  readonly hosts: readonly string[];
  /** Per row, hour of the day 0–23 and day since the epoch, both in the answer's zone. */
  readonly hour: Uint8Array;
  readonly day: Int32Array;
  groupOf(row: number): RequestGroup;
}

/** Classes of connections. */
export const CONNECTIONS = 3;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** @param offsetAt ms to add to UTC at that time */
export function createWaits(table: RequestTable, offsetAt: (at: number) => number): Waits {
  const lasting = longLived(table);
  const left = Object.fromEntries(TABLE_TIMES.map((name) => [name, table.times[name].slice()])) as Record<
    TableTime,
    Float32Array
  >;
  const timed = new Int32Array(table.n);
  const waited = new Int32Array(table.n);
  let timedRows = 0;
  let waitedRows = 0;
  let totalMs = 0;
  const { kind, kinds } = toKinds(table);
  const stratum = new Int32Array(table.n);
  for (let row = 0; row < table.n; row++) {
    const group = table.group[row] as number;
    stratum[row] = (kind[row] as number) * CONNECTIONS + (table.connection[row] as number);
    if (lasting.has(group) || table.groups[group]?.type === NOT_WAITED_FOR) continue;
    const outcome = table.outcome[row];
    const total = table.times.ttlb[row] as number;
    if (Number.isNaN(total)) continue;
    // Where redirects led to is waited for as well, though its phases say nothing; so is what follows a challenge.
    if (outcome === OUTCOME.challenged) totalMs += total;
    if (outcome === OUTCOME.redirected) totalMs += total + ((table.times.redirect[row] as number) || 0);
    if (outcome === OUTCOME.usable) {
      restoreConnect(table, left, row);
      timed[timedRows++] = row;
    } else if (outcome !== OUTCOME.opaque) continue;
    waited[waitedRows++] = row;
    totalMs += total;
  }
  const { codes: site, names: sites } = numbered(table.browsers.map((browser) => browser.site));
  const { codes: host, names: hosts } = numbered(table.groups.map((group) => group.host));
  const { hour, day } = clock(table, offsetAt);
  const ofTimed = timed.slice(0, timedRows);
  const siteOf = table.browser.map((browser) => site[browser] as number);
  const hostOf = table.group.map((group) => host[group] as number);
  return {
    table,
    rows: table.group.map((_, row) => row),
    left,
    timed: ofTimed,
    timedOf: { host: rowsByCode(ofTimed, hostOf, hosts.length), site: rowsByCode(ofTimed, siteOf, sites.length) },
    waited: waited.slice(0, waitedRows),
    totalMs,
    requests: waitedRows,
    browsers: new Set(waited.subarray(0, waitedRows).map((row) => table.browser[row] as number)).size,
    stratum,
    kind,
    kinds,
    strata: kinds * CONNECTIONS,
    site: siteOf,
    sites,
    host: hostOf,
    hosts,
    hour,
    day,
    groupOf: (row) => table.groups[table.group[row] as number] as RequestGroup,
  };
}

/** Per row, its kind. Thousands of paths that were asked for a few times each could not be compared with anything. */
function toKinds({ group, groups }: RequestTable): Pick<Waits, 'kind' | 'kinds'> {
  const requests = new Int32Array(groups.length);
  for (let row = 0; row < group.length; row++)
    requests[group[row] as number] = (requests[group[row] as number] as number) + 1;
  const names = groups.map(({ target, host, type, template }, one) =>
    JSON.stringify([target, host, type, (requests[one] as number) < RARE ? null : template]),
  );
  const codes = new Map([...new Set(names)].map((name, code) => [name, code]));
  const byGroup = Int32Array.from(names, (name) => codes.get(name) as number);
  return { kind: group.map((one) => byGroup[one] as number), kinds: codes.size };
}

/** Like loops by index, many times as fast as `filter` and iterators of typed arrays: a search does it a thousand times. */
export function pickRows(rows: Int32Array, holds: (row: number) => boolean): Int32Array {
  const picked = new Int32Array(rows.length);
  let n = 0;
  for (let i = 0; i < rows.length; i++) if (holds(rows[i] as number)) picked[n++] = rows[i] as number;
  return picked.subarray(0, n);
}

/** The rows of each code, in their order; those without one are in none. */
export function rowsByCode(rows: Int32Array, codes: Int32Array, n: number): Int32Array[] {
  const sizes = new Int32Array(n);
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number;
    const code = codes[row] as number;
    if (code >= 0) sizes[code] = (sizes[code] as number) + 1;
  }
  const found = Array.from(sizes, (size) => new Int32Array(size));
  const next = sizes.fill(0);
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number;
    const code = codes[row] as number;
    if (code < 0) continue;
    const at = next[code] as number;
    next[code] = at + 1;
    (found[code] as Int32Array)[at] = row;
  }
  return found;
}

/** Chromium names the connect of some new connections only as part of the total: known phases add up to it. */
function restoreConnect(table: RequestTable, left: Waits['left'], row: number): void {
  if (table.connection[row] !== CONNECTION.new || !Number.isNaN(left.tcp[row] as number)) return;
  const { blocked, dns, tls, wait, receive, ttlb } = table.times;
  const rest =
    (ttlb[row] as number) -
    (blocked[row] as number) -
    (dns[row] as number) -
    (tls[row] as number) -
    (wait[row] as number) -
    (receive[row] as number);
  if (rest > 0) left.tcp[row] = rest;
}

function longLived(table: RequestTable): ReadonlySet<number> {
  const over = new Int32Array(table.groups.length);
  const all = new Int32Array(table.groups.length);
  for (let row = 0; row < table.n; row++) {
    const total = table.times.ttlb[row] as number;
    if (Number.isNaN(total)) continue;
    const group = table.group[row] as number;
    all[group] = (all[group] as number) + 1;
    if (total > LONG_LIVED_MS) over[group] = (over[group] as number) + 1;
  }
  const lasting = new Set<number>();
  for (let group = 0; group < all.length; group++) {
    if (2 * (over[group] as number) > (all[group] as number)) lasting.add(group);
  }
  return lasting;
}

function numbered(words: readonly (string | null)[]): { readonly codes: Int32Array; readonly names: string[] } {
  const names = [...new Set(words.filter((word) => word !== null))].sort();
  const indices = new Map(names.map((name, index) => [name, index]));
  return { codes: Int32Array.from(words, (word) => (word === null ? -1 : (indices.get(word) ?? -1))), names };
}

function clock(table: RequestTable, offsetAt: (at: number) => number) {
  const hour = new Uint8Array(table.n);
  const day = new Int32Array(table.n);
  const offsets = new Map<number, number>();
  for (let row = 0; row < table.n; row++) {
    const at = table.at[row] as number;
    // Zones change their offset at quarters of an hour at most.
    const quarter = Math.floor(at / (HOUR_MS / 4));
    let offset = offsets.get(quarter);
    if (offset === undefined) {
      offset = offsetAt(at);
      offsets.set(quarter, offset);
    }
    const local = at + offset;
    day[row] = Math.floor(local / DAY_MS);
    hour[row] = Math.floor((local - (day[row] as number) * DAY_MS) / HOUR_MS);
  }
  return { hour, day };
}

/** `2026-03-01`. */
export function dayName(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}
