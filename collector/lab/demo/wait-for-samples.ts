import { setTimeout as sleep } from 'node:timers/promises';
import { CommandFailure } from '../../lib/failure.ts';

/** Between two looks at the summary, ms. */
const POLL_MS = 250;
/** Nothing new for so long means that nothing will come any more, ms. Much longer than the delivery interval. */
const SILENCE_MS = 15_000;

/** Resolves once `count` has reached `expected`. Throws a CommandFailure when it stands still below that. */
export async function waitForSamples(
  count: () => Promise<number>,
  expected: number,
  now: () => number,
  stopped: AbortSignal,
): Promise<void> {
  let seen = -1;
  let changedAt = now();
  while (!stopped.aborted) {
    const samples = await count();
    if (samples >= expected) return;
    if (samples !== seen) changedAt = now();
    seen = samples;
    if (now() - changedAt > SILENCE_MS) {
      throw new CommandFailure(
        `${samples} of ${expected} samples reached the collector, and no more came for ${SILENCE_MS / 1000} s`,
        'Run it again with --headed and look at the extension; if it stays, please report it.',
      );
    }
    await sleep(POLL_MS, undefined, { signal: stopped }).catch(() => {});
  }
}
