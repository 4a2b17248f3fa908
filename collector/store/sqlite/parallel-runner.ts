import { createFairLine } from '../../fair-line.ts';
import type { Watch } from '../store.ts';
import { StoreError } from '../store-error.ts';
import type { JobRunner } from './job-runner.ts';

/** Questions of one token that may wait at once: a page of the dashboard asks a dozen. */
export const MAX_WAITING_PER_TOKEN = 50;

interface Waiting {
  begin(runner: JobRunner): void;
  giveUp(reason: unknown): void;
}

/**
 * Several runners as one: a job goes to one that is free, and waits in line where none is. Tokens take turns, so that a
 * hundred questions of one hold up the next of another by one question only.
 */
export function createParallelRunner(runners: readonly JobRunner[]): JobRunner {
  const free = [...runners];
  const line = createFairLine<string, Waiting>();

  /** Resolves with a runner that is nobody else's until it is given back. */
  function take({ signal, token }: Watch): Promise<JobRunner> {
    const runner = free.shift();
    if (runner !== undefined) return Promise.resolve(runner);
    const key = token ?? '';
    // The collector's own questions, which have no token, are few.
    if (token !== undefined && line.waiting(key) >= MAX_WAITING_PER_TOKEN) throw tooManyWaiting();
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        begin(freed) {
          signal?.removeEventListener('abort', leave);
          resolve(freed);
        },
        giveUp(reason) {
          signal?.removeEventListener('abort', leave);
          reject(reason);
        },
      };
      function leave() {
        line.remove(key, waiting);
        reject(signal?.reason);
      }
      signal?.addEventListener('abort', leave, { once: true });
      line.push(key, waiting);
    });
  }

  function giveBack(runner: JobRunner): void {
    const next = line.shift();
    if (next === undefined) free.push(runner);
    else next.begin(runner);
  }

  return {
    async run(name, input, watch = {}) {
      watch.signal?.throwIfAborted();
      const runner = await take(watch);
      try {
        return await runner.run(name, input, watch);
      } finally {
        giveBack(runner);
      }
    },
    async close() {
      const closed = new StoreError('store_failed', 'the store was closed', 'Ask again once the server runs.');
      for (const { giveUp } of line.empty()) giveUp(closed);
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
