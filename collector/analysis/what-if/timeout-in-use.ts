import { CONNECTION } from '../../reductions/request-table.ts';
import type { Waits } from '../findings/waits.ts';
import type { ReplayedConnections } from './replay-connections.ts';
import { MIN_REQUESTS } from './saving.ts';

/**
 * Browsers close idle connections themselves after a while: Chromium after 5 minutes, Firefox after 115 s
 * (`network.http.keep-alive.timeout`).
 */
const BROWSER_LIMIT_MS: Readonly<Record<string, number>> = { chromium: 300_000, firefox: 115_000 };
/** An edge is certain if it makes the connections this much likelier, natural logarithm (p < 0.001 for one more parameter). */
const MIN_GAIN = 6;
/** A change of the timeout by less than this factor is none. */
const MIN_STEP = 1.5;

/** What a host seems to do now. */
export interface TimeoutInUse {
  /** Connections idle for longer are closed: 0 if none is kept, Infinity if all are. */
  readonly ms: number;
  /** Share of requests with a shorter idle time that opened a connection nevertheless: other reasons than a timeout. */
  readonly newBelow: number;
  /** The day of its last change, as in `Waits.day`; null if it has not changed. Requests before it say nothing about today. */
  readonly since: number | null;
}

export interface TimeoutsInUse {
  /** Per host. */
  readonly timeouts: readonly TimeoutInUse[];
  /** Whether the server had closed the connection that the request would find open if the timeout were this. */
  wouldFindOpen(row: number, timeoutMs: number): boolean;
  /** Whether it was sent under the timeout in use, and it is known how long its connection had been idle. */
  isJudged(row: number): boolean;
}

/**
 * The one decision about which requests a server's timeout costs a connection, for findings and predictions alike.
 * @param waitedFor whether a request waited for a connection to open: of those it is not known whether there was one
 */
export function findTimeouts(
  waits: Waits,
  { idle }: Pick<ReplayedConnections, 'idle'>,
  waitedFor: (row: number) => boolean,
): TimeoutsInUse {
  const { table, timedOf, host, day } = waits;
  const timeouts = timedOf.host.map((rows) =>
    timeoutInUse(
      waits,
      rows.filter((row) => Number.isFinite(idle[row] as number) && !waitedFor(row)),
      idle,
    ),
  );
  const timeoutOf = (row: number) => timeouts[host[row] as number] as TimeoutInUse;
  const isJudged = (row: number) =>
    !Number.isNaN(idle[row] as number) && (day[row] as number) >= (timeoutOf(row).since ?? Number.NEGATIVE_INFINITY);
  return {
    timeouts,
    isJudged,
    wouldFindOpen(row, timeoutMs) {
      const ms = idle[row] as number;
      const limit = BROWSER_LIMIT_MS[table.browsers[table.browser[row] as number]?.engine ?? ''] ?? timeoutMs;
      return isJudged(row) && ms > timeoutOf(row).ms && ms <= Math.min(timeoutMs, limit);
    },
  };
}

/** The requests of a host by idle time, the shortest first. */
interface Paused {
  readonly idle: Float64Array;
  readonly isNew: Uint8Array;
  readonly day: Int32Array;
}

/** The requests of some days, explained by one timeout. */
interface Fit extends Omit<TimeoutInUse, 'since'> {
  readonly n: number;
  readonly logLikelihood: number;
}

/** @param rows with known idle times */
function timeoutInUse({ table, day }: Waits, rows: Int32Array, idle: Float32Array): TimeoutInUse {
  rows.sort((a, b) => (idle[a] as number) - (idle[b] as number));
  const paused: Paused = {
    idle: Float64Array.from(rows, (row) => idle[row] as number),
    isNew: Uint8Array.from(rows, (row) => (table.connection[row] === CONNECTION.new ? 1 : 0)),
    day: Int32Array.from(rows, (row) => day[row] as number),
  };
  const days = [...new Set(paused.day)].sort((a, b) => a - b);
  let since: number | null = null;
  for (let step = stepOn(paused, days); step !== null; step = stepOn(paused, days)) {
    since = step;
    days.splice(0, days.indexOf(step));
  }
  const { ms, newBelow } = fitTimeout(paused, since ?? Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);
  return { ms, newBelow, since };
}

/**
 * The first day of another timeout, where two explain the days so much better than one does that the four more parameters are worth it
 * (BIC) and the choice of the day is no chance either.
 */
function stepOn(paused: Paused, days: readonly number[]): number | null {
  const [first] = days;
  if (first === undefined || days.length < 2) return null;
  const whole = fitTimeout(paused, first, Number.POSITIVE_INFINITY);
  let most = whole.logLikelihood + MIN_GAIN + 2 * Math.log(Math.max(1, whole.n)) + Math.log(days.length);
  let found: number | null = null;
  for (const day of days.slice(1)) {
    const [before, after] = [fitTimeout(paused, first, day), fitTimeout(paused, day, Number.POSITIVE_INFINITY)];
    if (Math.min(before.n, after.n) < MIN_REQUESTS || !isOther(before.ms, after.ms)) continue;
    if (before.logLikelihood + after.logLikelihood <= most) continue;
    most = before.logLikelihood + after.logLikelihood;
    found = day;
  }
  return found;
}

function isOther(one: number, other: number): boolean {
  return Math.max(one, other) > MIN_STEP * Math.max(1, Math.min(one, other));
}

/** The idle time that divides requests on open and on new connections best, by the likelihood of one step. @param to exclusive */
function fitTimeout({ idle, isNew, day }: Paused, from: number, to: number): Fit {
  let [n, fresh] = [0, 0];
  for (let place = 0; place < idle.length; place++) {
    if ((day[place] as number) < from || (day[place] as number) >= to) continue;
    n++;
    fresh += isNew[place] as number;
  }
  const one = logLikelihood(fresh, n);
  let best: Fit | null = null;
  let most = one + MIN_GAIN;
  let [kept, below, last] = [0, 0, Number.NaN];
  for (let place = 0; place < idle.length; place++) {
    if ((day[place] as number) < from || (day[place] as number) >= to) continue;
    if (kept > 0 && idle[place] !== last) {
      const [newBelow, newAbove] = [below / kept, (fresh - below) / (n - kept)];
      if (newAbove >= 0.5 && newAbove > newBelow) {
        const likelihood = logLikelihood(below, kept) + logLikelihood(fresh - below, n - kept);
        if (likelihood > most) {
          most = likelihood;
          best = { ms: last, newBelow, n, logLikelihood: likelihood };
        }
      }
    }
    kept++;
    below += isNew[place] as number;
    last = idle[place] as number;
  }
  if (best !== null) return best;
  const closesAll = 2 * fresh > n;
  return {
    ms: closesAll ? -1 : Number.POSITIVE_INFINITY,
    newBelow: closesAll || n === 0 ? 0 : fresh / n,
    n,
    logLikelihood: one,
  };
}

/** Of k new connections among n. */
function logLikelihood(k: number, n: number): number {
  const part = (count: number) => (count === 0 ? 0 : count * Math.log(count / n));
  return part(k) + part(n - k);
}
