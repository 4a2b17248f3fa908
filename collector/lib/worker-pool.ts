import { Worker } from 'node:worker_threads';
import { FairQueue } from './fair-queue.ts';

/** Cancelled jobs are flagged in this many slots. A disconnecting client cancels all of its jobs, each in a slot of its own. */
const CANCEL_SLOTS = 1024;

/** The names of the functions of J that can be run; `close` ends the whole set. */
export type JobName<J> = Exclude<keyof J, 'close'> & string;
export type JobInput<J, K extends keyof J> = J[K] extends (...input: infer I) => unknown ? I : never;
export type JobOutput<J, K extends keyof J> = J[K] extends (...input: never[]) => infer O ? Awaited<O> : never;

export interface JobOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called with the completed part of the job, 0…1. */
  readonly progress?: ((part: number) => void) | undefined;
}

/** Runs the functions of J by name, in this thread or in others: plain data in, plain data out. */
export interface JobRunner<J> {
  /** Rejects with the job's error, or with the signal's reason once it is aborted. */
  run<K extends JobName<J>>(name: K, input: JobInput<J, K>, options?: JobOptions): Promise<JobOutput<J, K>>;
  /** Ends running jobs; waiting ones fail. */
  close(): Promise<void>;
}

/** What a running job can call. */
export interface JobControl {
  /** Call it often: it throws once the job is cancelled. */
  readonly checkpoint: () => void;
  /** Reports the completed part, 0…1. */
  readonly progress: (part: number) => void;
}

/**
 * Runs jobs in the calling thread, for commands, which have nothing else to do meanwhile. One after the other, as in a thread:
 * a job that waits may have a transaction open. Closing waits for those that were begun before.
 */
export function createInlineRunner<J extends { close(): void }>(
  open: (control: JobControl) => J | Promise<J>,
  translate: (error: unknown) => unknown,
): JobRunner<J> {
  let current: JobOptions = {};
  let jobs: J | null = null;
  const queue = new FairQueue<null>(1);
  const control: JobControl = {
    checkpoint: () => current.signal?.throwIfAborted(),
    progress: (part) => current.progress?.(part),
  };
  return {
    run(name, input, options = {}) {
      const { signal } = options;
      const serve = async () => {
        current = options;
        try {
          jobs ??= await open(control);
          const job = jobs[name] as (...input: readonly unknown[]) => JobOutput<J, typeof name>;
          return await job(...(input as readonly unknown[]));
        } catch (error) {
          throw signal?.aborted ? signal.reason : translate(error);
        }
      };
      return queue.run(null, serve, signal);
    },
    close: () =>
      queue.run(null, async () => {
        jobs?.close();
        jobs = null;
      }),
  };
}

/** What a thread gets at its start. */
export interface ThreadData<D> {
  readonly data: D;
  /** The ids of cancelled jobs, each in its `cancelSlot`. */
  readonly cancelled: SharedArrayBuffer;
  readonly lowPriority: boolean;
}

export function cancelSlot(id: number): number {
  return id % CANCEL_SLOTS;
}

export interface JobRequest {
  readonly id: number;
  readonly name: string;
  readonly input: readonly unknown[];
}

/** Concerns the oldest unanswered job: a thread runs one after the other. */
export interface JobMessage<F> {
  readonly id: number;
  /** The job is still running, and this part of it is done. */
  readonly part?: number;
  readonly output?: unknown;
  readonly failure?: F;
  readonly cancelled?: true;
}

export interface ThreadOptions<D, F> {
  readonly data: D;
  /** The errors that jobs reject with. */
  readonly errors: {
    /** @param failure as the thread described it */
    failed(failure: F): Error;
    cancelled(): Error;
    /** @param working whether the thread ended during this job */
    ended(cause: unknown, working: boolean): Error;
  };
  readonly lowPriority?: boolean;
  /** Read when a thread starts. A job that keeps more than this in its heap ends its thread. Unlimited by default. */
  readonly heapMb?: () => number;
  /** A small young generation is collected more often, in less memory. Defaults to Node's own. */
  readonly youngHeapMb?: number;
  /** An idle thread is ended after this long, ms; never by default. */
  readonly idleMs?: number;
  /** Replaces arguments that cannot be cloned. */
  readonly encode?: (name: string, input: readonly unknown[]) => readonly unknown[];
}

const HEAP_READING_MS = 50;
const READINGS_OVER_LIMIT = 3;
/** How far V8's own limit is beyond the heap of a thread. */
const V8_LIMIT_FACTOR = 2;

interface Waiting {
  readonly id: number;
  readonly progress: JobOptions['progress'];
  readonly resolve: (output: never) => void;
  readonly reject: (error: unknown) => void;
}

interface RunningThread {
  readonly worker: Worker;
  /**
   * Unanswered jobs, oldest first. Rehashed Maps and Sets keep their old tables reachable, which defeats minor GC: with
   * every batch passing through here, that was half of the event loop's garbage.
   */
  readonly waiting: Waiting[];
}

/**
 * Runs jobs in a thread, so that the event loop is not blocked however long one takes. The first job starts the thread;
 * if it dies, its jobs fail and the next job starts another. A cancelled job rejects only when its thread has left it:
 * until then the thread is not free for the next job.
 *
 * @param script calls `serveJobs`
 */
export function createThreadRunner<J, D = null, F = string>(
  script: URL,
  { data, errors, lowPriority = false, heapMb, youngHeapMb, idleMs, encode }: ThreadOptions<D, F>,
): JobRunner<J> {
  const cancelled = new SharedArrayBuffer(4 * CANCEL_SLOTS);
  const flags = new Int32Array(cancelled);
  let thread: RunningThread | null = null;
  let idle: NodeJS.Timeout | undefined;
  let lastId = 0;

  function start(): RunningThread {
    const limitMb = heapMb?.();
    const worker = new Worker(script, {
      workerData: { data, cancelled, lowPriority } satisfies ThreadData<D>,
      resourceLimits: {
        ...(limitMb === undefined ? {} : { maxOldGenerationSizeMb: V8_LIMIT_FACTOR * limitMb }),
        ...(youngHeapMb === undefined ? {} : { maxYoungGenerationSizeMb: youngHeapMb }),
      },
    });
    const waiting: Waiting[] = [];
    const started: RunningThread = { worker, waiting };
    worker.on('message', ({ id, part, output, failure, cancelled: wasCancelled }: JobMessage<F>) => {
      // If one answer were missing, every later job would get another's.
      if (waiting[0]?.id !== id) {
        void worker.terminate();
        return;
      }
      if (part !== undefined) {
        waiting[0]?.progress?.(part);
        return;
      }
      const job = waiting.shift();
      if (wasCancelled) job?.reject(errors.cancelled());
      else if (failure !== undefined) job?.reject(errors.failed(failure));
      else job?.resolve(output as never);
      if (waiting.length > 0) return;
      worker.unref();
      if (idleMs !== undefined) idle = setTimeout(() => void close(), idleMs).unref();
    });
    const died = (cause?: unknown) => {
      if (thread === started) thread = null;
      for (const [index, { reject }] of waiting.splice(0).entries()) reject(errors.ended(cause, index === 0));
    };
    // Both events fire for one death, and the next thread may be running by the time of the second: each fails only its
    // own jobs.
    worker.on('error', died);
    // An answer that could not be deserialized, for example for lack of memory.
    worker.on('messageerror', () => void worker.terminate());
    worker.on('exit', () => died());
    if (limitMb !== undefined) {
      const isBusy = () => waiting.length > 0;
      watchHeap(worker, limitMb * 2 ** 20, isBusy, () => {
        died(Object.assign(new Error(`the thread kept more than ${limitMb} MB`), { code: 'ERR_WORKER_OUT_OF_MEMORY' }));
        void worker.terminate();
      });
    }
    return started;
  }

  async function close(): Promise<void> {
    clearTimeout(idle);
    const ended = thread;
    thread = null;
    await ended?.worker.terminate();
  }

  return {
    async run(name, input, { signal, progress } = {}) {
      signal?.throwIfAborted();
      clearTimeout(idle);
      thread ??= start();
      const { worker, waiting } = thread;
      const id = ++lastId;
      const args = input as readonly unknown[];
      // Throws if the input cannot be cloned; then no answer is awaited.
      worker.postMessage({ id, name, input: encode?.(name, args) ?? args } satisfies JobRequest);
      worker.ref();
      const done = new Promise<never>((resolve, reject) => {
        waiting.push({ id, resolve, reject, progress });
      });
      if (signal === undefined) return done;
      const abort = () => void Atomics.store(flags, cancelSlot(id), id);
      signal.addEventListener('abort', abort, { once: true });
      try {
        return await done;
      } catch (error) {
        throw signal.aborted ? signal.reason : error;
      } finally {
        signal.removeEventListener('abort', abort);
      }
    },
    close,
  };
}

/**
 * Node documents its own limit as best effort: from 24 on, a thread that reaches it mostly aborts the whole process
 * (https://github.com/nodejs/node/issues/47224). So it is out of reach, and this one counts what stays in use.
 */
function watchHeap(worker: Worker, limit: number, isBusy: () => boolean, exceeded: () => void): void {
  let over = 0;
  const timer = setInterval(async () => {
    if (!isBusy()) return;
    // Rejects once the thread has ended, which its events report.
    const used = await worker.getHeapStatistics().then(
      (heap) => heap.used_heap_size,
      () => 0,
    );
    // One reading may be mostly garbage.
    over = used > limit ? over + 1 : 0;
    if (over === READINGS_OVER_LIMIT) exceeded();
  }, HEAP_READING_MS).unref();
  worker.once('exit', () => clearInterval(timer));
}

/** Options of jobs that share the runners of a pool. */
export interface PooledOptions extends JobOptions {
  /** Jobs of one owner share their turn. Jobs without one are few, and each has its own. */
  readonly token?: string | undefined;
}

export interface JobPool<J> extends JobRunner<J> {
  run<K extends JobName<J>>(name: K, input: JobInput<J, K>, options?: PooledOptions): Promise<JobOutput<J, K>>;
}

/**
 * Shares several runners: a job goes to a free one, or waits in line. Owners take turns, and none occupies all runners at
 * once, so that the long jobs of one never block those of another.
 *
 * @param maxWaiting jobs of one owner; more are refused with `busy`
 */
export function createWorkerPool<J>(
  runners: readonly JobRunner<J>[],
  { maxWaiting, busy, closed }: { readonly maxWaiting: number; busy(): Error; closed(): Error },
): JobPool<J> {
  const free = [...runners];
  const queue = new FairQueue<string | symbol>(runners.length, Math.max(1, runners.length - 1));
  return {
    async run(name, input, options = {}) {
      const { signal, token } = options;
      if (token !== undefined && queue.waitingOf(token) >= maxWaiting) throw busy();
      return queue.run(
        token ?? Symbol('own'),
        async () => {
          const runner = free.shift();
          if (runner === undefined) throw new Error('more jobs are running than there are runners');
          try {
            return await runner.run(name, input, options);
          } finally {
            free.push(runner);
          }
        },
        signal,
      );
    },
    async close() {
      queue.giveUp(closed());
      await Promise.all(runners.map((runner) => runner.close()));
    },
  };
}
