/** When each origin last responded, epoch ms, in the order of the responses. Plain data, never mutated. */
export type IdleState = Readonly<Record<string, number>>;

export const NO_ANSWERS_YET: IdleState = {};

/** Origins remembered; the one idle longest is dropped first. */
const MAX_TRACKED_ORIGINS = 500;

/**
 * Milliseconds from the origin's last response in this browser to a request sent at `startedAt`; 0 if that response
 * came while the request was already waiting; null for the first request, or after a clock was set back further.
 */
export function idleBefore(state: IdleState, origin: string, startedAt: number): number | null {
  const last = Object.hasOwn(state, origin) ? state[origin] : undefined;
  return last === undefined ? null : Math.max(0, Math.round(startedAt - last));
}

/** Records a response that came over the network; those from a cache or a worker say nothing about a connection. */
export function noteAnswer(
  state: IdleState,
  origin: string,
  endedAt: number,
  capacity: number = MAX_TRACKED_ORIGINS,
): IdleState {
  const last = Object.hasOwn(state, origin) ? state[origin] : undefined;
  if (last !== undefined && last >= endedAt) return state;
  const entries = Object.entries(state).filter(([known]) => known !== origin);
  return Object.fromEntries([...entries, [origin, Math.round(endedAt)] as const].slice(-capacity));
}

/** One request to an origin, epoch milliseconds. */
export interface RequestSpan {
  readonly origin: string;
  readonly start: number;
  readonly end: number;
  /** Whether a response came over a connection; others do not end an idle time. */
  readonly overNetwork: boolean;
}

/**
 * How long each request's origin had been idle when it began (ms; null for the first), and the state after all of them.
 * Entries arrive in the order in which they ended, so starts and ends are sorted first.
 */
export function idleTimes(
  state: IdleState,
  spans: readonly RequestSpan[],
): { readonly idle: readonly (number | null)[]; readonly state: IdleState } {
  const idle: (number | null)[] = spans.map(() => null);
  const events = spans
    .flatMap(({ origin, start, end, overNetwork }, index) => [
      { at: start, origin, index, ends: false },
      ...(overNetwork ? [{ at: end, origin, index, ends: true }] : []),
    ])
    .sort((a, b) => a.at - b.at || Number(a.ends) - Number(b.ends));
  let after = state;
  for (const { at, origin, index, ends } of events) {
    if (ends) after = noteAnswer(after, origin, at);
    else idle[index] = idleBefore(after, origin, at);
  }
  return { idle, state: after };
}
