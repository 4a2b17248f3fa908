import { parentPort, workerData } from 'node:worker_threads';
import { stepBack } from './step-back.ts';
import { cancelSlot, type JobControl, type JobMessage, type JobRequest, type ThreadData } from './worker-pool.ts';

/** Progress is not shown more often, ms. */
const PROGRESS_EVERY_MS = 100;

class Cancelled extends Error {}

/**
 * Serves the jobs of a thread that `createThreadRunner` starts, one after the other.
 *
 * @param open creates the jobs from the data the thread was started with, at the first request
 * @param describe an error as data that can be cloned
 * @param transferOf buffers of an answer to be moved instead of copied
 */
export function serveJobs<D>(
  open: (data: D, control: JobControl) => object | Promise<object>,
  describe: (error: unknown) => unknown = stackOf,
  transferOf: (output: unknown) => ArrayBuffer[] = () => [],
): void {
  const { data, cancelled, lowPriority } = workerData as ThreadData<D>;
  if (lowPriority) stepBack();
  const flags = new Int32Array(cancelled);
  let current = 0;
  let reportedAt = 0;
  let jobs: Readonly<Record<string, (...input: readonly unknown[]) => unknown>> | null = null;
  let before: Promise<void> = Promise.resolve();

  parentPort?.on('message', (request: JobRequest) => {
    before = before.then(() => serve(request));
  });

  // A request that could not be deserialized would never be answered.
  parentPort?.on('messageerror', (error) => {
    throw error;
  });

  async function serve({ id, name, input }: JobRequest): Promise<void> {
    current = id;
    reportedAt = performance.now();
    try {
      checkpoint();
      // Here, so that a failure to open is the job's failure and does not end the thread.
      jobs ??= (await open(data, { checkpoint, progress })) as NonNullable<typeof jobs>;
      const job = jobs[name];
      if (job === undefined) throw new Error(`this thread has no job ${name}`);
      const output = await job(...input);
      post({ id, output }, transferOf(output));
    } catch (error) {
      post(error instanceof Cancelled ? { id, cancelled: true } : { id, failure: describe(error) });
    }
  }

  /** The other thread stores the ids of cancelled jobs. */
  function checkpoint(): void {
    if (Atomics.load(flags, cancelSlot(current)) === current) throw new Cancelled();
  }

  function progress(part: number): void {
    const now = performance.now();
    if (now - reportedAt < PROGRESS_EVERY_MS) return;
    reportedAt = now;
    post({ id: current, part });
  }

  function post(message: JobMessage<unknown>, transfer: ArrayBuffer[] = []): void {
    parentPort?.postMessage(message, transfer);
  }
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
