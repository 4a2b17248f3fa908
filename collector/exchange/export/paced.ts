import type { NextTurn } from './loop-turns.ts';

export interface Pace {
  /** How far a reader may fall behind the least rate, ms: the whole of it where nothing is taken. */
  readonly graceMs: number;
  readonly minBytesPerS: number;
}

/**
 * The same pieces at the reader's pace: senders of batches get their turn between any two. A reader who falls behind the
 * least rate for longer than the grace time is reported once by `tooSlow`. The time to make a piece does not count.
 */
export async function* paced(
  pieces: AsyncIterable<Uint8Array>,
  { graceMs, minBytesPerS }: Pace,
  tooSlow: () => void,
  nextTurn: NextTurn,
): AsyncGenerator<Uint8Array> {
  let leftMs = graceMs;
  for await (const piece of pieces) {
    const offeredAt = performance.now();
    // What was taken fast earns no more than the grace time, or a reader could take gigabytes and then stop for hours.
    const dueMs = Math.min(leftMs, graceMs) + (piece.length / minBytesPerS) * 1000;
    const timer = setTimeout(tooSlow, dueMs);
    try {
      yield piece;
    } finally {
      clearTimeout(timer);
    }
    leftMs = dueMs - (performance.now() - offeredAt);
    await nextTurn();
  }
}
