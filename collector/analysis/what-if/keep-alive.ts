import { CONNECTION } from '../../reductions/request-table.ts';
import type { Waits } from '../findings/waits.ts';
import { blockedParts } from './blocked-parts.ts';
import type { ReplayedConnections } from './replay-connections.ts';
import { SavedTime, type Units } from './saved-time.ts';
import { MIN_REQUESTS, type Saving, unknownSaving } from './saving.ts';
import { rowSetUp, typicalOfNew } from './set-up-times.ts';
import { slowStartMs } from './slow-start.ts';

/** Common values of servers and load balancers. */
const TIMEOUTS_S = [5, 15, 30, 60, 120, 300] as const;
/**
 * Browsers close idle connections themselves after a while: Chromium after 5 minutes, Firefox after 115 s
 * (`network.http.keep-alive.timeout`).
 */
const BROWSER_LIMIT_MS: Readonly<Record<string, number>> = { chromium: 300_000, firefox: 115_000 };

/** What another keep-alive timeout would save, from the idle times that browsers saw. */
export function predictKeepAlive(
  waits: Waits,
  units: Units,
  replayed: ReplayedConnections,
  minBrowsers: number,
): Saving[] {
  const { table, timed, hosts, host } = waits;
  if (replayed.known < MIN_REQUESTS) {
    const reason = replayed.known === 0 && timed.length >= MIN_REQUESTS ? 'no_idle_times' : 'too_few_requests';
    return TIMEOUTS_S.map((seconds) => unknownSaving({ remedy: 'keep_alive', seconds }, reason));
  }
  const setUp = typicalOfNew(waits, (row) => rowSetUp(waits, row));
  const roundTrip = typicalOfNew(waits, (row) => waits.left.tcp[row] as number);
  const slowStart = (row: number) => slowStartMs(table.size[row] as number, roundTrip(row));
  const parts = blockedParts(waits, replayed);
  /** For a connection that another request opened, or that became free before its own was open. */
  const waitedMs = (row: number) => (table.connection[row] === CONNECTION.reused ? parts.queued(row) : 0);
  const rowsOf = hosts.map((): number[] => []);
  let connections = 0;
  for (const row of timed) {
    if (table.connection[row] === CONNECTION.new) connections++;
    // Of those that waited for a connection it is not known whether there was one.
    if (!Number.isNaN(replayed.idle[row] as number) && waitedMs(row) === 0) rowsOf[host[row] as number]?.push(row);
  }
  const inUse = rowsOf.map((rows) => timeoutInUse(waits, rows, replayed.idle));
  return TIMEOUTS_S.map((seconds) => {
    const timeout = seconds * 1000;
    const saved = new SavedTime(waits, units);
    let after = connections;
    for (const row of timed) {
      const idle = replayed.idle[row] as number;
      const now = inUse[host[row] as number] as TimeoutInUse;
      if (Number.isNaN(idle)) continue;
      const limit = BROWSER_LIMIT_MS[table.browsers[table.browser[row] as number]?.engine ?? ''] ?? timeout;
      const would = 1 - now.newBelow;
      if (idle > now.ms && idle <= Math.min(timeout, limit)) {
        const isNew = table.connection[row] === CONNECTION.new;
        const ms = isNew ? rowSetUp(waits, row) || setUp(row) : waitedMs(row);
        if (isNew) after -= would;
        // Whether the server lets an idle connection go on as fast as it was is not known, nor what else blocked it.
        if (ms > 0) saved.add(row, ms * would, isNew ? [0, slowStart(row) * would] : [parts.own(row), parts.own(row)]);
      } else if (table.connection[row] === CONNECTION.reused && idle > timeout && idle <= now.ms) {
        after++;
        const ms = setUp(row);
        if (ms > 0) saved.add(row, -ms, [slowStart(row), 0]);
      }
    }
    const facts = { connections, connectionsAfter: Math.max(0, Math.round(after)) };
    return saved.saving({ remedy: 'keep_alive', seconds, facts }, minBrowsers);
  });
}

/** What a host seems to do now. */
interface TimeoutInUse {
  /** Connections idle for longer are closed: 0 if none is kept, Infinity if all are. */
  readonly ms: number;
  /** Share of requests with a shorter idle time that opened a connection nevertheless: other reasons than a timeout. */
  readonly newBelow: number;
}

/** An edge is certain if it makes the connections this much likelier, natural logarithm (p < 0.001 for one more parameter). */
const MIN_GAIN = 6;

/**
 * The idle time that divides requests on open and on new connections best, by the likelihood of one step.
 *
 * @param rows with known idle times
 */
function timeoutInUse({ table }: Waits, rows: readonly number[], idle: Float32Array): TimeoutInUse {
  const finite = rows.filter((row) => Number.isFinite(idle[row] as number));
  finite.sort((a, b) => (idle[a] as number) - (idle[b] as number));
  const isNew = (row: number | undefined) => row !== undefined && table.connection[row] === CONNECTION.new;
  const n = finite.length;
  if (n === 0) return { ms: Number.POSITIVE_INFINITY, newBelow: 0 };
  const fresh = finite.reduce((sum, row) => sum + (isNew(row) ? 1 : 0), 0);
  let below = 0;
  let best: TimeoutInUse | null = null;
  let most = logLikelihood(fresh, n) + MIN_GAIN;
  for (let place = 0; place < n - 1; place++) {
    if (isNew(finite[place])) below++;
    const [here, next] = [idle[finite[place] as number] as number, idle[finite[place + 1] as number] as number];
    const [kept, closed] = [place + 1, n - place - 1];
    const [newBelow, newAbove] = [below / kept, (fresh - below) / closed];
    if (here === next || newAbove < 0.5 || newAbove <= newBelow) continue;
    const likelihood = logLikelihood(below, kept) + logLikelihood(fresh - below, closed);
    if (likelihood <= most) continue;
    most = likelihood;
    best = { ms: here, newBelow };
  }
  if (best !== null) return best;
  return 2 * fresh > n ? { ms: -1, newBelow: 0 } : { ms: Number.POSITIVE_INFINITY, newBelow: fresh / n };
}

/** Of k new connections among n. */
function logLikelihood(k: number, n: number): number {
  const part = (count: number) => (count === 0 ? 0 : count * Math.log(count / n));
  return part(k) + part(n - k);
}
