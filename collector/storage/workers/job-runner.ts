import type { DatabaseLocation } from '../sqlite/open-database.ts';
import { openStoreJobs, type StoreJobs } from '../sqlite/store-jobs.ts';
import { translateError } from '../sqlite/translate-error.ts';
import type { RequestOptions } from '../store.ts';
import { StoreError } from '../store-error.ts';

export type JobName = Exclude<keyof StoreJobs, 'close'>;
export type JobInput<K extends JobName> = Parameters<StoreJobs[K]>;
export type JobOutput<K extends JobName> = ReturnType<StoreJobs[K]>;

/** Runs jobs, here or in threads. */
export interface JobRunner {
  /** Throws a StoreError, or the signal's reason once it is aborted. */
  run<K extends JobName>(name: K, input: JobInput<K>, watch?: RequestOptions): Promise<JobOutput<K>>;
  /** Ends what is under way; what still waits fails. */
  close(): Promise<void>;
}

/** In the calling thread, for commands: nobody else is waiting for it. */
export function createInlineRunner(place: DatabaseLocation): JobRunner {
  let watch: RequestOptions = {};
  const jobs = openStoreJobs(place, {
    checkpoint: () => watch.signal?.throwIfAborted(),
    tell: (part) => watch.progress?.(part),
  });
  return {
    async run(name, input, given = {}) {
      watch = given;
      watch.signal?.throwIfAborted();
      try {
        const job = jobs[name] as (...input: unknown[]) => JobOutput<typeof name>;
        return job(...input);
      } catch (error) {
        throw given.signal?.aborted ? given.signal.reason : translateError(error);
      }
    },
    async close() {
      jobs.close();
    },
  };
}

/** What a thread could not do, as plain data. */
export interface PlainFailure {
  readonly code: StoreError['code'];
  readonly message: string;
  readonly hint: string;
  /** What was below it, for a log. */
  readonly cause: string;
}

export function plainFailure(error: unknown): PlainFailure {
  const { code, message, hint, cause } = translateError(error);
  return { code, message, hint, cause: cause instanceof Error ? (cause.stack ?? cause.message) : String(cause) };
}

export function failureOf({ code, message, hint, cause }: PlainFailure): StoreError {
  return new StoreError(code, message, hint, cause);
}
