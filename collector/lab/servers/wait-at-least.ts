import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

/**
 * Resolves at least `ms` from now by the monotonic clock. Node's own timers may fire up to 1 ms early, because libuv
 * counts from a loop time in whole milliseconds; a known delay must be a lower bound.
 * https://github.com/nodejs/node/issues/26578
 */
export async function waitAtLeast(ms: number): Promise<void> {
  const due = performance.now() + ms;
  // Spin the event loop for the last fraction: a timer would take at least a whole millisecond.
  for (let left = ms; left > 0; left = due - performance.now()) await (left >= 1 ? sleep(left) : nextTurn());
}
