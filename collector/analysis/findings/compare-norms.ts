import { CONNECTION, HANDSHAKE, OUTCOME } from '../../reductions/request-table.ts';
import { findTimeouts, type TimeoutsInUse } from '../what-if/timeout-in-use.ts';
import type { Axes, AxisName } from './axes.ts';
import { findMedian } from './like-medians.ts';
import type { Quantity, QuantityName } from './quantities.ts';
import { replayTickets } from './replay-tickets.ts';
import { narrowed, type Suspect, scanPlaces } from './scan.ts';
import { addUp, prepareQuantity } from './usual.ts';
import { pickRows, rowsByCode, type Waits } from './waits.ts';

/** What a request would take if its place did as good ones do: NaN where the norm says nothing. */
interface Norm {
  readonly quantity: QuantityName;
  readonly by: readonly (readonly AxisName[])[];
  /** A place may be narrowed by these. */
  readonly narrow: readonly AxisName[];
  /** Least share of the place's requests, or of its browsers, that take longer. */
  readonly least: { readonly requests: number } | { readonly browsers: number };
  like(waits: Waits, quantity: Quantity): Float32Array;
}

/** With a time-out of a minute, as most servers have, these connections would still be open. */
const KEPT_MS = 60_000;
/** People read a page for ten seconds and more, so that an earlier close meets nearly every next page. */
const LATEST_EDGE_MS = 10_000;
/** Share of new connections below the edge: concurrent requests open some. */
const MAX_BELOW = 0.3;
const MIN_SIDE = 20;
/** Cures change no idle times. */
const TIMEOUTS = new WeakMap<Waits, TimeoutsInUse>();
/** Bytes of an initial window of ten segments (RFC 6928). */
const FIRST_WINDOW = 14_600;
/** Reading so little from a socket takes no longer. */
const HELD_MS = 10;
/** A browser's own scheduling takes no longer. */
const OWN_MS = 5;
/** They change with a release at most, so a browser needs each of them once. */
const KEPT_TYPES: ReadonlySet<string> = new Set(['script', 'style', 'font']);
const MAX_CACHED = 0.1;
const MIN_CACHED_ELSEWHERE = 0.4;
const MIN_FILES = 100;

const NORMS: readonly Norm[] = [
  { quantity: 'new_connections', narrow: ['site'], by: [['host']], least: { requests: 0 }, like: ifKeptOpen },
  { quantity: 'tls', narrow: ['site'], by: [['host']], least: { requests: 0 }, like: ifResumed },
  // At 1 % TCP no longer fills a line (Mathis et al., 1997); lines in order lose a tenth of that.
  { quantity: 'tcp', narrow: ['site', 'host'], by: [['host'], ['site']], least: { requests: 0.01 }, like: ifNotLost },
  { quantity: 'blocked', narrow: ['target', 'path'], by: [['host']], least: { browsers: 0.5 }, like: ifNotQueued },
  { quantity: 'receive', narrow: ['path', 'type'], by: [['host']], least: { requests: 0.05 }, like: ifInOneFlight },
  { quantity: 'cached', narrow: [], by: [['target']], least: { requests: 0 }, like: ifCached },
  { quantity: 'redirect', narrow: ['path', 'site'], by: [['host']], least: { requests: 0 }, like: ifWithout },
  { quantity: 'challenged', narrow: ['path', 'site'], by: [['host']], least: { requests: 0 }, like: ifWithout },
];
/** RFC 6298: a lost SYN is sent again after 1 s, then after 2 s and 4 s more. */
const STEPS_MS = [1000, 3000, 7000] as const;
/** A step begins this much early because timers are coarse, and ends a long round trip later. */
const EARLY_MS = 20;
const ROUND_TRIP_MS = 600;
const MIN_AFFECTED = 5;

/** Places that do not keep to what is known to be right. */
export function compareNorms(waits: Waits, axes: Axes, quantity: Quantity, leastMs: number): Suspect[] {
  return NORMS.filter((norm) => norm.quantity === quantity.name).flatMap((norm) => {
    const like = norm.like(waits, quantity);
    const { rows } = prepareQuantity(waits, axes, quantity);
    const known = pickRows(rows, (row) => !Number.isNaN(like[row] as number));
    const { observed: expected } = addUp(like, known, axes.cells([]));
    const compared = { ...addUp(quantity.values, known, axes.cells([])), expected };
    return scanPlaces(quantity, () => compared, axes, null, norm.by, leastMs)
      .map((one): Suspect => ({ ...narrowed({ ...one, like, norm: true }, rows, axes, norm.narrow) }))
      .filter(({ rows: own }) => {
        const affected = own.filter((row) => (quantity.values[row] as number) > (like[row] as number));
        if (affected.length < MIN_AFFECTED) return false;
        if ('requests' in norm.least) return lowerShare(affected.length, own.length) >= norm.least.requests;
        const browsers = (of: readonly number[]) => new Set(of.map((row) => waits.table.browser[row] as number)).size;
        return browsers(affected) >= norm.least.browsers * browsers(own);
      });
  });
}

/** The ideal is zero. */
function ifWithout(_: Waits, { values }: Quantity): Float32Array {
  return values.map((ms) => (Number.isNaN(ms) ? ms : 0));
}

/** Connections that a host closes within seconds, as the prediction of a longer timeout decides. */
function ifKeptOpen(waits: Waits, { values }: Quantity): Float32Array {
  const { table, timedOf } = waits;
  const like = new Float32Array(values.length).fill(Number.NaN);
  const found = TIMEOUTS.get(waits) ?? findTimeouts(waits, table, () => false);
  TIMEOUTS.set(waits, found);
  for (const [host, { ms, newBelow }] of found.timeouts.entries()) {
    if (ms > LATEST_EDGE_MS || newBelow > MAX_BELOW) continue;
    for (const row of timedOf.host[host] as Int32Array) {
      if (!((table.idle[row] as number) <= KEPT_MS) || table.connection[row] === CONNECTION.other) continue;
      like[row] = found.wouldFindOpen(row, KEPT_MS) ? 0 : (values[row] as number);
    }
  }
  return like;
}

/** Sessions that a host does not resume, as its Server-Timing says. */
function ifResumed(waits: Waits, { values }: Quantity): Float32Array {
  const { table, timedOf, hosts, left } = waits;
  const like = new Float32Array(values.length).fill(Number.NaN);
  const likely = replayTickets(waits);
  for (const [host] of hosts.entries()) {
    const told = (timedOf.host[host] as Int32Array).filter(
      (row) =>
        table.handshake[row] !== HANDSHAKE.unknown &&
        (likely[row] as number) > 0 &&
        !Number.isNaN(values[row] as number),
    );
    if (told.length < MIN_SIDE) continue;
    const resumed = Array.from(
      told.filter((row) => table.handshake[row] === HANDSHAKE.resumed),
      (row) => values[row] as number,
    ).sort((a, b) => a - b);
    const usual =
      resumed.length < MIN_SIDE ? Number.POSITIVE_INFINITY : (resumed[Math.floor(resumed.length / 2)] as number);
    for (let i = 0; i < told.length; i++) {
      const row = told[i] as number;
      const value = values[row] as number;
      if (table.handshake[row] === HANDSHAKE.resumed) like[row] = value;
      else {
        const roundTrip = Number.isNaN(left.tcp[row] as number) ? value : (left.tcp[row] as number);
        like[row] = value - (likely[row] as number) * (value - Math.min(usual, roundTrip, value));
      }
    }
  }
  return like;
}

/** HTTP/1.1 has six connections to a host: further requests wait in the browser until one is free. */
function ifNotQueued({ table, timed }: Waits, { values }: Quantity): Float32Array {
  const like = new Float32Array(values.length).fill(Number.NaN);
  const old = table.protocols.indexOf('http/1.1');
  if (old < 0) return like;
  for (const row of timed) if (table.protocol[row] === old) like[row] = Math.min(OWN_MS, values[row] as number);
  return like;
}

/** An answer that fits into the first congestion window arrives at once, unless its server holds the end back. */
function ifInOneFlight({ table: { size }, timed, left, site, sites }: Waits, { values }: Quantity): Float32Array {
  const small = pickRows(timed, (row) => (size[row] as number) > 0 && (size[row] as number) <= FIRST_WINDOW);
  const usual = rowsByCode(small, site, sites.length).map((own) =>
    findMedian(new Float64Array(own).map((row) => left.receive[row] as number)),
  );
  const like = new Float32Array(values.length).fill(Number.NaN);
  for (const row of small) {
    const atSite = usual[site[row] as number] ?? 0;
    like[row] = Math.min(values[row] as number, Math.max(HELD_MS, 2 * atSite));
  }
  return like;
}

/** Scripts and styles that browsers fetch each time. */
function ifCached({ table }: Waits, { values }: Quantity): Float32Array {
  const like = new Float32Array(values.length).fill(Number.NaN);
  const apps = new Map<string, { all: number; fetched: number; browsers: Set<number> }>();
  const targets = table.groups.map(({ type, target }) => (KEPT_TYPES.has(type) ? target : null));
  for (let row = 0; row < table.n; row++) {
    const target = targets[table.group[row] as number] ?? null;
    if (target === null || Number.isNaN(values[row] as number)) continue;
    const own = apps.get(target) ?? { all: 0, fetched: 0, browsers: new Set() };
    apps.set(target, own);
    own.all++;
    if (table.outcome[row] !== OUTCOME.cache) own.fetched++;
    own.browsers.add(table.browser[row] as number);
  }
  const usable = [...apps].filter(([, { all }]) => all >= MIN_FILES);
  const cachedShare = ({ all, fetched }: { all: number; fetched: number }) => 1 - fetched / all;
  const factors = new Map(
    usable.flatMap(([target, own]) => {
      const others = usable.filter(([name]) => name !== target);
      if (others.length === 0 || own.fetched < 8 * own.browsers.size) return [];
      const elsewhere = others.reduce((sum, [, other]) => sum + cachedShare(other), 0) / others.length;
      return cachedShare(own) > MAX_CACHED || elsewhere < MIN_CACHED_ELSEWHERE
        ? []
        : [[target, 1 - elsewhere] as const];
    }),
  );
  for (let row = 0; row < table.n; row++) {
    const factor = factors.get(targets[table.group[row] as number] ?? '');
    if (factor !== undefined) like[row] = (values[row] as number) * factor;
  }
  return like;
}

/** Lost packets at the beginning of a connection. */
function ifNotLost(_: Waits, { values }: Quantity): Float32Array {
  return values.map((ms) => {
    const step = STEPS_MS.find((one) => ms >= one - EARLY_MS && ms < one + ROUND_TRIP_MS);
    return step === undefined ? ms : Math.max(0, ms - step);
  });
}

const Z_95 = 1.96;

/** Lower end of Wilson's interval. */
function lowerShare(k: number, n: number): number {
  const share = k / n;
  const z2 = Z_95 ** 2;
  return (share + z2 / (2 * n) - Z_95 * Math.sqrt((share * (1 - share)) / n + z2 / (4 * n * n))) / (1 + z2 / n);
}
