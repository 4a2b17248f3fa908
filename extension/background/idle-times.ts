import { type IdleState, idleBefore, noteAnswer } from '../../shared/sample/idle-tracker.ts';

/** One request to an origin, epoch milliseconds. */
export interface RequestSpan {
  readonly origin: string;
  readonly start: number;
  readonly end: number;
  /** Whether an answer came over a connection: others do not end a silence. */
  readonly overNetwork: boolean;
}

/**
 * For each request the time its origin had been silent when it began (ms; null for the first), and the state after all
 * of them. Entries come in the order in which they ended, so starts and ends are first brought into their own order.
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
