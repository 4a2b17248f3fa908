import { Worker } from 'node:worker_threads';
import type { DatabaseLocation } from '../sqlite/open-database.ts';
import type { RequestOptions } from '../store.ts';
import { StoreError } from '../store-error.ts';
import { answerTooLarge } from './answer-too-large.ts';
import { failureOf, type JobName, type JobRunner, type PlainFailure } from './job-runner.ts';

export interface ThreadData {
  readonly place: DatabaseLocation;
  /** Holds the numbers of the jobs to give up, each in the place it has by `cancelSlot`. */
  readonly cancelled: SharedArrayBuffer;
  /** Nobody waits for it who could not wait longer. */
  readonly lowPriority: boolean;
}

/** Who goes away takes all his questions along; so many that wait at once keep places of their own. */
const CANCEL_SLOTS = 1024;

/** Of a thread whose heap is limited: its garbage is collected more often, in less memory. */
const YOUNG_HEAP_MB = 16;

export function cancelSlot(id: number): number {
  return id % CANCEL_SLOTS;
}

export interface JobRequest {
  readonly id: number;
  readonly name: JobName;
  readonly input: readonly unknown[];
}

/** Of the oldest job that is not answered yet: a thread does one after the other. */
export interface JobAnswer {
  readonly id: number;
  /** The job is still at work, and this part of it done, 0…1. */
  readonly part?: number;
  readonly output?: unknown;
  readonly failure?: PlainFailure;
  readonly cancelled?: true;
}

interface Waiting {
  readonly id: number;
  readonly progress: RequestOptions['progress'];
  readonly resolve: (output: never) => void;
  readonly reject: (error: unknown) => void;
}

interface RunningThread {
  readonly worker: Worker;
  /**
   * Its jobs, the oldest first. Neither a Map nor a Set: whenever one of these makes itself anew, what it was before still
   * leads to what it is (for iterators), so that a collector of young garbage, for whom old things live, carries everything
   * along that ever stood in it at such a moment: with every batch through here, half of all that the event loop makes.
   */
  readonly waiting: Waiting[];
}

export interface ThreadOptions {
  /** Lets other threads go first. */
  readonly lowPriority?: boolean;
  /**
   * Asked when a thread starts. A job whose heap outgrows this fails with `answer_too_large`, and the thread with it.
   * Unlimited unless given.
   */
  readonly heapMb?: () => number;
}

/**
 * Jobs in a thread of their own, so that the event loop goes on taking batches however long one lasts. The thread is
 * started with the first job; if it dies, its jobs fail and the next one starts another. A job that is given up rejects
 * once its thread has left it, not before: a thread that still works is not free for the next job.
 *
 * @param script the built job-thread.ts
 */
export function createThreadRunner(
  script: URL,
  place: DatabaseLocation,
  { lowPriority: behind = false, heapMb }: ThreadOptions = {},
): JobRunner {
  const cancelled = new SharedArrayBuffer(4 * CANCEL_SLOTS);
  const flag = new Int32Array(cancelled);
  let thread: RunningThread | null = null;
  let lastId = 0;

  function start(): RunningThread {
    const worker = new Worker(script, {
      workerData: { place, cancelled, lowPriority: behind } satisfies ThreadData,
      resourceLimits:
        heapMb === undefined ? {} : { maxOldGenerationSizeMb: heapMb(), maxYoungGenerationSizeMb: YOUNG_HEAP_MB },
    });
    const started: RunningThread = { worker, waiting: [] };
    const { waiting } = started;
    worker.on('message', ({ id, part, output, failure, cancelled: gaveUp }: JobAnswer) => {
      // An answer that never came would leave each of those behind it with somebody else's.
      if (waiting[0]?.id !== id) {
        void worker.terminate();
        return;
      }
      if (part !== undefined) {
        waiting[0]?.progress?.(part);
        return;
      }
      const job = waiting.shift();
      if (gaveUp) job?.reject(new StoreError('store_failed', 'the query was cancelled', 'Ask again.'));
      else if (failure !== undefined) job?.reject(failureOf(failure));
      else job?.resolve(output as never);
      if (waiting.length === 0) worker.unref();
    });
    const died = (error?: unknown) => {
      if (thread === started) thread = null;
      // The oldest was at work.
      const tooLarge = answerTooLarge(error);
      if (tooLarge !== null) waiting.shift()?.reject(tooLarge);
      const failure = new StoreError(
        'store_failed',
        'a thread of the store ended',
        'Try again; report it if it stays.',
        error,
      );
      for (const { reject } of waiting.splice(0)) reject(failure);
    };
    // Both come for one death, and by the second the next thread may be at work: each ends its own jobs only.
    worker.on('error', died);
    // An answer that could not be read, say for want of memory.
    worker.on('messageerror', () => void worker.terminate());
    worker.on('exit', () => died());
    return started;
  }

  return {
    async run(name, input, { signal, progress } = {}) {
      signal?.throwIfAborted();
      thread ??= start();
      const { worker, waiting } = thread;
      const id = ++lastId;
      // Throws for what cannot be cloned: only what was sent is answered.
      worker.postMessage({ id, name, input: sendable(name, input) } satisfies JobRequest);
      worker.ref();
      const done = new Promise<never>((resolve, reject) => {
        waiting.push({ id, resolve, reject, progress });
      });
      if (signal === undefined) return done;
      const abort = () => void Atomics.store(flag, cancelSlot(id), id);
      signal.addEventListener('abort', abort, { once: true });
      try {
        return await done;
      } catch (error) {
        throw signal.aborted ? signal.reason : error;
      } finally {
        signal.removeEventListener('abort', abort);
      }
    },
    async close() {
      await thread?.worker.terminate();
      thread = null;
    },
  };
}

/** Functions cannot be sent: readings and ingestions go by their name, and the thread looks them up. */
function sendable(name: JobName, input: readonly unknown[]): readonly unknown[] {
  if (name !== 'read' && name !== 'ingest') return input;
  const [named, ...rest] = input as [{ readonly name: string }, ...unknown[]];
  return [named.name, ...rest];
}
