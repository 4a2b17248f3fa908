import { setImmediate } from 'node:timers/promises';

export interface Pace {
  /** How far a reader may fall behind the minimum rate, ms; all of it if the reader takes nothing. */
  readonly graceMs: number;
  readonly minBytesPerS: number;
}

/**
 * The same pieces at the reader's pace, with a yield to the event loop after each, for incoming batches. `tooSlow` is
 * called once if the reader falls behind the minimum rate for longer than the grace time. The time to produce a piece does
 * not count.
 */
export async function* paced(
  pieces: AsyncIterable<Uint8Array>,
  { graceMs, minBytesPerS }: Pace,
  tooSlow: () => void,
  yieldToEventLoop: YieldToEventLoop,
): AsyncGenerator<Uint8Array> {
  let leftMs = graceMs;
  for await (const piece of pieces) {
    const offeredAt = performance.now();
    // Fast reading earns at most the grace time, or a reader could take gigabytes and then stop for hours.
    const dueMs = Math.min(leftMs, graceMs) + (piece.length / minBytesPerS) * 1000;
    const timer = setTimeout(tooSlow, dueMs);
    try {
      yield piece;
    } finally {
      clearTimeout(timer);
    }
    leftMs = dueMs - (performance.now() - offeredAt);
    await yieldToEventLoop();
  }
}

/** Resolves when the caller may work for a few milliseconds. */
export type YieldToEventLoop = () => Promise<void>;

/**
 * Resumes one caller per iteration of the event loop, in order. setImmediate alone resumes all waiting callers in one
 * iteration, and batches would wait for the sum of them.
 */
export function createEventLoopScheduler(): YieldToEventLoop {
  let last = Promise.resolve();
  return () => {
    last = last.then(() => setImmediate());
    return last;
  };
}
