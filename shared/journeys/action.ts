/**
 * When an action of a user is over, and what it cost. The rule is the same for a journey's step and for what real users do:
 *
 * - It begins with its event: the click, the key, the navigation.
 * - Requests that began before the event don't belong to it, however long they take. Those that begin afterwards do, and so do
 *   those that their answers cause, until the page has settled.
 * - The page has settled once nothing that belongs to the action has been in flight, and no document has been loading, for
 *   QUIET_MS. What begins later belongs to nothing.
 * - It ends with the last byte of the last request that it caused; the quiet time is no part of it. Without a request it has no
 *   end: unknown, not 0.
 * - A request that is no answer to the user never holds it open: WebSocket, EventSource, beacon, prefetch (`holds: false`), and a
 *   poll. A request is a poll if the same address was being asked when the event happened.
 * - It is bounded. If the page has not settled within the limit, then what is still in flight, or has been asked five times, is
 *   taken for a poll as long as something else remains. Otherwise the action has no end, and what held it open is named.
 *
 * All times are milliseconds of one clock.
 */
export const QUIET_MS = 500;
export const LIMIT_MS = 30_000;
/** An address asked so often within one action is polled. */
const POLL_REPEATS = 5;

export interface PageRequest {
  readonly id: string;
  readonly startedAt: number;
  /** The last byte, or the failure; null while in flight. */
  readonly finishedAt: number | null;
  /** Method and address without its query: by it a poll is known again. */
  readonly address: string;
  /** False if it is no answer to what the user does. */
  readonly holds: boolean;
  /** Only what scripts ask can be a poll: a page that waits for its document or a script does wait. */
  readonly byScript: boolean;
}

/** A document from its first request until its load event; null while it loads. */
export interface PageLoad {
  readonly startedAt: number;
  readonly loadedAt: number | null;
}

export interface PageActivity {
  readonly requests: readonly PageRequest[];
  readonly loads: readonly PageLoad[];
}

export type ActionState = 'open' | 'settled' | 'unsettled';

export interface Action {
  /** `unsettled`: the limit has passed, and the end is unknown. */
  readonly state: ActionState;
  /** The last byte; null without requests, and while the action isn't settled. */
  readonly endedAt: number | null;
  /** What it caused, polls not included. */
  readonly requests: readonly PageRequest[];
  readonly polls: readonly PageRequest[];
  /** What still holds it open. */
  readonly pending: readonly PageRequest[];
}

/** The action that began at `begunAt`, as seen at `now`. Once it is settled, asking later gives the same answer. */
export function followAction(
  { requests, loads }: PageActivity,
  begunAt: number,
  now: number,
  { quietMs = QUIET_MS, limitMs = LIMIT_MS } = {},
): Action {
  const polled = new Set(
    requests.filter((request) => request.byScript && isInFlight(request, begunAt)).map(({ address }) => address),
  );
  const later = requests.filter(({ startedAt }) => startedAt >= begunAt && startedAt <= now);
  const isPoll = ({ byScript, address }: PageRequest) => byScript && polled.has(address);
  const action = sweep(later, loads, begunAt, isPoll, quietMs);
  const limit = begunAt + limitMs;
  if (action.busyUntil + quietMs <= Math.min(now, limit)) return settled(action);
  if (now < limit) return { ...action, state: 'open', endedAt: null };
  const before = later.filter(({ startedAt }) => startedAt <= limit);
  const times = new Map<string, number>();
  for (const { address } of before) times.set(address, (times.get(address) ?? 0) + 1);
  const isSuspect = (request: PageRequest) =>
    isPoll(request) ||
    (request.byScript && (!isOver(request, limit) || (times.get(request.address) ?? 0) >= POLL_REPEATS));
  const rest = sweep(before, loads, begunAt, isSuspect, limitMs);
  if (rest.busyUntil <= limit && rest.requests.length > 0) return settled(rest);
  return { ...action, state: 'unsettled', endedAt: null };
}

interface Swept extends Pick<Action, 'requests' | 'polls' | 'pending'> {
  /** Infinity while something that holds it open is in flight. */
  readonly busyUntil: number;
}

/** Goes through what follows the event in the order of its beginning, and stops at the first gap that is long enough. */
function sweep(
  later: readonly PageRequest[],
  loads: readonly PageLoad[],
  begunAt: number,
  isPoll: (request: PageRequest) => boolean,
  quietMs: number,
): Swept {
  const spans = [
    ...later.map((request) => ({ from: request.startedAt, until: request.finishedAt ?? Infinity, request })),
    ...loads
      .filter(({ startedAt }) => startedAt >= begunAt)
      .map(({ startedAt, loadedAt }) => ({ from: startedAt, until: loadedAt ?? Infinity, request: null })),
  ].sort((a, b) => a.from - b.from);
  let busyUntil = begunAt;
  const caused: PageRequest[] = [];
  const polls: PageRequest[] = [];
  for (const { from, until, request } of spans) {
    if (from > busyUntil + quietMs) break;
    if (request !== null && isPoll(request)) {
      polls.push(request);
    } else {
      if (request !== null) caused.push(request);
      if (request?.holds !== false) busyUntil = Math.max(busyUntil, until);
    }
  }
  const pending = caused.filter(({ holds, finishedAt }) => holds && finishedAt === null);
  return { busyUntil, requests: caused, polls, pending };
}

function settled(swept: Swept): Action {
  const ends = swept.requests.filter(({ holds }) => holds).map(({ finishedAt }) => finishedAt ?? -Infinity);
  const endedAt = ends.length === 0 ? null : Math.max(...ends);
  return { requests: swept.requests, polls: swept.polls, pending: [], state: 'settled', endedAt };
}

function isInFlight({ startedAt, finishedAt }: PageRequest, at: number): boolean {
  return startedAt < at && (finishedAt === null || finishedAt > at);
}

function isOver({ finishedAt }: PageRequest, at: number): boolean {
  return finishedAt !== null && finishedAt <= at;
}
