import { StoreError } from '../store-error.ts';
import type { JobRunner } from './job-runner.ts';

interface Waiting {
  begin(runner: JobRunner): void;
  giveUp(reason: unknown): void;
}

/** Several runners as one: a job goes to one that is free, and waits in line where none is. */
export function createParallelRunner(runners: readonly JobRunner[]): JobRunner {
  const free = [...runners];
  const line: Waiting[] = [];

  /** Resolves with a runner that is nobody else's until it is given back. */
  function take(signal: AbortSignal | undefined): Promise<JobRunner> {
    const runner = free.shift();
    if (runner !== undefined) return Promise.resolve(runner);
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
        line.splice(line.indexOf(waiting), 1);
        reject(signal?.reason);
      }
      signal?.addEventListener('abort', leave, { once: true });
      line.push(waiting);
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
      const runner = await take(watch.signal);
      try {
        return await runner.run(name, input, watch);
      } finally {
        giveBack(runner);
      }
    },
    async close() {
      const closed = new StoreError('store_failed', 'the store was closed', 'Ask again once the server runs.');
      for (const { giveUp } of line.splice(0)) giveUp(closed);
      await Promise.all(runners.map((runner) => runner.close()));
    },
  };
}
