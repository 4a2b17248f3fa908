import { setImmediate } from 'node:timers/promises';

/**
 * The same pieces at the reader's pace: those who send batches get their turn between any two, and a reader who takes
 * nothing for `stalledMs` is told of by `stalled`, once. How long a piece takes to be made does not count.
 */
export async function* paced(
  pieces: AsyncIterable<Uint8Array>,
  stalledMs: number,
  stalled: () => void,
): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    const timer = setTimeout(stalled, stalledMs);
    try {
      yield piece;
    } finally {
      clearTimeout(timer);
    }
    await setImmediate();
  }
}
