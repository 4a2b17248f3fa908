import { Worker } from 'node:worker_threads';
import { StoreError } from '../store-error.ts';
import { failureOf, type JobName, type JobRunner, type PlainFailure } from './job-runner.ts';

export interface ThreadData {
  readonly file: string;
  /** Holds the number of the job to give up. */
  readonly cancelled: SharedArrayBuffer;
}

export interface JobRequest {
  readonly id: number;
  readonly name: JobName;
  readonly input: readonly unknown[];
}

export interface JobAnswer {
  readonly id: number;
  readonly output?: unknown;
  readonly failure?: PlainFailure;
  readonly cancelled?: true;
}

interface Waiting {
  readonly resolve: (output: never) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Jobs in a thread of their own, so that the event loop goes on taking batches however long one lasts. The thread is
 * started with the first job; if it dies, its jobs fail and the next one starts it anew.
 *
 * @param script the built job-thread.ts
 */
export function createThreadRunner(script: URL, file: string): JobRunner {
  const cancelled = new SharedArrayBuffer(4);
  const flag = new Int32Array(cancelled);
  const waiting = new Map<number, Waiting>();
  let thread: Worker | null = null;
  let lastId = 0;

  function start(): Worker {
    const worker = new Worker(script, { workerData: { file, cancelled } satisfies ThreadData });
    worker.on('message', ({ id, output, failure, cancelled: gaveUp }: JobAnswer) => {
      const { resolve, reject } = waiting.get(id) ?? {};
      waiting.delete(id);
      if (gaveUp) reject?.(new StoreError('store_failed', 'the query was cancelled', 'Ask again.'));
      else if (failure !== undefined) reject?.(failureOf(failure));
      else resolve?.(output as never);
      if (waiting.size === 0) worker.unref();
    });
    const died = (error?: unknown) => {
      if (thread === worker) thread = null;
      const failure = new StoreError(
        'store_failed',
        'a thread of the store ended',
        'Try again; report it if it stays.',
        error,
      );
      for (const { reject } of waiting.values()) reject(failure);
      waiting.clear();
    };
    worker.on('error', died);
    worker.on('exit', () => died());
    return worker;
  }

  return {
    run(name, input, signal) {
      signal?.throwIfAborted();
      thread ??= start();
      const worker = thread;
      const id = ++lastId;
      worker.ref();
      const done = new Promise<never>((resolve, reject) => waiting.set(id, { resolve, reject }));
      worker.postMessage({ id, name, input } satisfies JobRequest);
      if (signal === undefined) return done;
      const abort = () => {
        Atomics.store(flag, 0, id);
        // Whether it had begun or not: nobody waits for it from here on.
        waiting.get(id)?.reject(signal.reason);
      };
      signal.addEventListener('abort', abort, { once: true });
      return done.finally(() => signal.removeEventListener('abort', abort));
    },
    async close() {
      await thread?.terminate();
      thread = null;
    },
  };
}
