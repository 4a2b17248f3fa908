import { parentPort, workerData } from 'node:worker_threads';
import { stepBack } from '../../lib/step-back.ts';
import type { Ingestion } from '../ingestion.ts';
import type { Reading } from '../passes/reading-source.ts';
import { openStoreJobs } from '../sqlite/store-jobs.ts';
import { plainFailure } from './job-runner.ts';
import { cancelSlot, type JobAnswer, type JobRequest, type ThreadData } from './thread-runner.ts';

/** Nobody looks at a bar more often, ms. */
const TELL_EVERY_MS = 100;

class Cancelled extends Error {}

export interface NamedWork {
  readonly readings: readonly Reading<never, unknown>[];
  readonly ingestions: readonly Ingestion<never, unknown>[];
}

/**
 * What a thread of the store runs; thread-runner.ts starts it.
 * @param work everything the store may be asked to run here: a thread is sent only names
 */
export function runJobThread({ readings, ingestions }: NamedWork): void {
  const work = {
    read: new Map(readings.map((reading) => [reading.name, reading])),
    ingest: new Map(ingestions.map((ingestion) => [ingestion.name, ingestion])),
  };
  const { place, cancelled, lowPriority: behind } = workerData as ThreadData;
  if (behind) stepBack();
  const flag = new Int32Array(cancelled);
  let current = 0;
  let toldAt = 0;
  const jobs = openStoreJobs(place, { checkpoint, tell });

  parentPort?.on('message', ({ id, name, input }: JobRequest) => {
    current = id;
    toldAt = performance.now();
    post(answer(id, name, input));
  });

  // A job that could not be read has no answer: nobody shall wait for it.
  parentPort?.on('messageerror', (error) => {
    throw error;
  });

  function answer(id: number, name: JobRequest['name'], input: readonly unknown[]): JobAnswer {
    try {
      checkpoint();
      const job = jobs[name] as (...input: readonly unknown[]) => unknown;
      return { id, output: job(...resolved(name, input)) };
    } catch (error) {
      return error instanceof Cancelled ? { id, cancelled: true } : { id, failure: plainFailure(error) };
    }
  }

  function resolved(name: JobRequest['name'], input: readonly unknown[]): readonly unknown[] {
    if (name !== 'read' && name !== 'ingest') return input;
    const [workName, ...rest] = input as [string, ...unknown[]];
    const found = work[name].get(workName);
    if (found === undefined) throw new Error(`store-thread.ts lists no ${workName}`);
    return [found, ...rest];
  }

  /** The other thread writes the numbers of the jobs that nobody waits for any more. */
  function checkpoint(): void {
    if (Atomics.load(flag, cancelSlot(current)) === current) throw new Cancelled();
  }

  function tell(part: number): void {
    const now = performance.now();
    if (now - toldAt < TELL_EVERY_MS) return;
    toldAt = now;
    post({ id: current, part });
  }

  function post(message: JobAnswer): void {
    parentPort?.postMessage(message, buffersOf(message.output));
  }

  /** Of a written answer: handed over instead of copied. */
  function buffersOf(output: unknown): ArrayBuffer[] {
    const { rest } = (output ?? {}) as { readonly rest?: unknown };
    return rest instanceof Uint8Array && rest.buffer instanceof ArrayBuffer ? [rest.buffer] : [];
  }
}
