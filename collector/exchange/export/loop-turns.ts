import { setImmediate } from 'node:timers/promises';

/** Resolves when the caller may work for some milliseconds. */
export type NextTurn = () => Promise<void>;

/**
 * One caller in a turn of the event loop, in the order they asked. setImmediate alone resumes all that wait in one turn:
 * batches would then wait for the sum of them.
 */
export function createLoopTurns(): NextTurn {
  let last = Promise.resolve();
  return () => {
    last = last.then(() => setImmediate());
    return last;
  };
}
