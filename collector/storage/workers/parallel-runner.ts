import { FairQueue } from '../../lib/fair-queue.ts';
import { StoreError } from '../store-error.ts';
import type { JobRunner } from './job-runner.ts';

/** Questions of one token that may wait at once: a page of the dashboard asks a dozen. */
export const MAX_WAITING_PER_TOKEN = 50;

/**
 * Several runners as one: a job goes to one that is free, and waits in line where none is. Tokens take turns, and none has all
 * runners at once, so that the long questions of one never keep those of another waiting.
 */
export function createParallelRunner(runners: readonly JobRunner[]): JobRunner {
  const free = [...runners];
  const queue = new FairQueue<string | symbol>(runners.length, Math.max(1, runners.length - 1));
  return {
    async run(name, input, watch = {}) {
      const { signal, token } = watch;
      if (token !== undefined && queue.waitingOf(token) >= MAX_WAITING_PER_TOKEN) throw tooManyWaiting();
      return queue.run(
        // The collector's own questions, and those of a command, have no token and are few.
        token ?? Symbol('own'),
        async () => {
          const runner = free.shift();
          if (runner === undefined) throw new Error('more jobs are at work than there are runners');
          try {
            return await runner.run(name, input, watch);
          } finally {
            free.push(runner);
          }
        },
        signal,
      );
    },
    async close() {
      queue.giveUp(new StoreError('store_failed', 'the store was closed', 'Ask again once the server runs.'));
      await Promise.all(runners.map((runner) => runner.close()));
    },
  };
}

function tooManyWaiting(): StoreError {
  return new StoreError(
    'store_busy',
    `${MAX_WAITING_PER_TOKEN} questions of this token are waiting already`,
    'Wait for their answers before asking more, or cancel some by closing their connections.',
  );
}
