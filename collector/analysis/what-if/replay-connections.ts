import { CONNECTION } from '../../reductions/request-table.ts';
import type { Waits } from '../findings/waits.ts';

/** A browser's own scheduling takes this long at least, ms. */
export const OWN_BLOCKED_MS = 5;
/** Times are known to a clock step of 1 ms, and start and end are rounded separately. */
const SLACK_MS = 2;
/** No server closes a connection sooner. */
const OPEN_MS = 1000;

export interface ReplayedConnections {
  /**
   * Per row, for how long the connection had been idle that the request would have found if the server never closed any, ms: with a
   * timeout of t it is open where this is at most t. 0 if it was still busy, Infinity if none was free, NaN if unknown.
   */
  readonly idle: Float32Array;
  /** Whether the request used an open connection, and what blocked it, if anything, was not waiting for one. */
  readonly foundFree: Uint8Array;
  /** Whether another connection to the host was open and busy when the request began. */
  readonly besideBusy: Uint8Array;
  readonly known: number;
}

interface Connection {
  openAt: number;
  freeAt: number;
}

/** The connections of one browser to one host. */
interface Pool {
  readonly connections: Connection[];
  /** When its latest requests were answered. */
  readonly answers: number[];
}

/** To one host, of HTTP/1.1. */
const MAX_CONNECTIONS = 6;
/** More are never under way at once. */
const MAX_ANSWERS = 64;

/**
 * Replays the connections of each browser to each host. Browsers take the free connection that was used last, so that the pool
 * under a shorter timeout is always the part of the pool without timeout that was used recently: one replay answers for every
 * timeout. `idleMs` is what the browser saw; it also tells of answers that are not among the rows.
 */
export function replayConnections(waits: Waits): ReplayedConnections {
  const { table, hosts, host } = waits;
  const { ttlb, wait, receive, blocked } = table.times;
  const idle = new Float32Array(table.n).fill(Number.NaN);
  const foundFree = new Uint8Array(table.n);
  const besideBusy = new Uint8Array(table.n);
  const old = table.protocols.indexOf('http/1.1');
  const pools = new Map<number, Pool>();
  let known = 0;
  const keys = [table.at, ttlb, wait, receive, blocked, table.connection, table.idle];
  /** Of requests that began at the same time, the shortest first: the order in which samples are read must not count. */
  function inTurn(a: number, b: number): number {
    for (const key of keys) {
      const [first, second] = [key[a] as number, key[b] as number];
      if (first < second || (Number.isNaN(first) && !Number.isNaN(second))) return -1;
      if (first > second || (Number.isNaN(second) && !Number.isNaN(first))) return 1;
    }
    return 0;
  }
  // Errors and confirmed cache entries used a connection too.
  const rows = new Int32Array(table.n)
    .map((_, row) => row)
    .filter((row) => !Number.isNaN(ttlb[row] as number) && !Number.isNaN(wait[row] as number))
    .sort(inTurn);
  for (const row of rows) {
    const connection = table.connection[row];
    const told = table.idle[row] as number;
    if (!Number.isNaN(told)) known++;
    // All requests of HTTP/2 and HTTP/3 share one connection.
    if (old < 0 || table.protocol[row] !== old) {
      idle[row] = told;
      foundFree[row] = connection === CONNECTION.reused && told > 0 && told <= OPEN_MS ? 1 : 0;
      continue;
    }
    const start = table.at[row] as number;
    const end = start + (ttlb[row] as number);
    const id = (table.browser[row] as number) * hosts.length + (host[row] as number);
    const pool = pools.get(id) ?? { connections: [], answers: [] };
    pools.set(id, pool);
    const { connections, answers } = pool;
    if (!Number.isNaN(told)) rememberAnswer(pool, start, start - told);
    answers.push(end);
    if (answers.length > MAX_ANSWERS) answers.shift();
    const openAt = end - (wait[row] as number) - (receive[row] as number);
    besideBusy[row] = connections.some((one) => one.openAt <= start && one.freeAt > start) ? 1 : 0;
    const free = lastUsed(connections.filter(({ freeAt }) => freeAt <= start + SLACK_MS));
    if (free !== null) {
      idle[row] = Math.max(0, start - free.freeAt);
      const sent = start + (blocked[row] as number) + SLACK_MS;
      const waitedFor = (one: Connection) =>
        (one.openAt > start && one.openAt <= sent) || (one.freeAt > start && one.freeAt <= sent);
      foundFree[row] = connection === CONNECTION.reused && !connections.some(waitedFor) ? 1 : 0;
      free.freeAt = end;
      if (connection === CONNECTION.new) free.openAt = openAt;
      continue;
    }
    const next = connection === CONNECTION.reused ? firstFree(connections) : null;
    idle[row] = connection !== CONNECTION.reused ? Number.POSITIVE_INFINITY : next === null ? told : 0;
    if (next === null) connections.push({ openAt, freeAt: end });
    else next.freeAt = Math.max(end, next.freeAt);
    // It was opening a connection when another became free, and the new one is left over.
    if (next !== null && (blocked[row] as number) > OWN_BLOCKED_MS && connections.length < MAX_CONNECTIONS) {
      connections.push({ openAt: end, freeAt: end });
    }
  }
  return { idle, foundFree, besideBusy, known };
}

/** Something that is not among the rows, such as a request of a hidden tab, was answered at that time. */
function rememberAnswer({ connections, answers }: Pool, start: number, at: number): void {
  if (answers.some((end) => end >= at - SLACK_MS && end <= start + SLACK_MS)) return;
  const last = lastUsed(connections.filter(({ freeAt }) => freeAt <= at));
  if (last === null) connections.push({ openAt: at, freeAt: at });
  else last.freeAt = at;
}

function lastUsed(connections: readonly Connection[]): Connection | null {
  return connections.reduce<Connection | null>(
    (last, one) => (last === null || one.freeAt > last.freeAt ? one : last),
    null,
  );
}

function firstFree(connections: readonly Connection[]): Connection | null {
  return connections.reduce<Connection | null>(
    (first, one) => (first === null || one.freeAt < first.freeAt ? one : first),
    null,
  );
}
