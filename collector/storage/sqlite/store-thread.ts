import { serveJobs } from '../../lib/serve-jobs.ts';
import {
  createInlineRunner,
  createThreadRunner,
  type JobControl,
  type JobRunner,
  type ThreadOptions,
} from '../../lib/worker-pool.ts';
import type { Ingestion } from '../ingestion.ts';
import type { Reading } from '../passes/reading-source.ts';
import { answerTooLarge, StoreError } from '../store-error.ts';
import type { DatabaseLocation } from './open-database.ts';
import { openReaderJobs } from './reader-jobs.ts';
import { openScanJobs } from './scan-columns.ts';
import { translateError } from './translate-error.ts';
import { openWriterJobs } from './writer-jobs.ts';

/** Each thread does one kind of work, over a connection of its own. */
const OPEN = {
  reader: openReaderJobs,
  scanner: openScanJobs,
  writer: openWriterJobs,
  // Loaded only by a collector whose samples are in ClickHouse.
  remote: async (location: DatabaseLocation, control: JobControl) =>
    (await import('../clickhouse/clickhouse-jobs.ts')).openClickHouseJobs(location, control),
};
type Work = keyof typeof OPEN;
type JobsOf<W extends Work> = Awaited<ReturnType<(typeof OPEN)[W]>>;
export type StoreRunner<W extends Work> = JobRunner<JobsOf<W>>;

/** Young generation of threads that answer questions. */
const YOUNG_HEAP_MB = 16;

interface StoreThreadData {
  readonly location: DatabaseLocation;
  readonly work: Work;
}

/** What failed in a thread, as plain data. */
interface Failure {
  readonly code: StoreError['code'];
  readonly message: string;
  readonly hint: string;
  /** The underlying error, for a log. */
  readonly cause: string;
}

/** Jobs in the calling thread. */
export function inlineStoreRunner<W extends Work>(location: DatabaseLocation, work: W): StoreRunner<W> {
  const open = OPEN[work] as (location: DatabaseLocation, control: JobControl) => JobsOf<W>;
  return createInlineRunner((control) => open(location, control), translateError);
}

/** Jobs in a thread. @param script calls `serveStoreJobs` */
export function threadStoreRunner<W extends Work>(
  script: URL,
  location: DatabaseLocation,
  work: W,
  options: Pick<ThreadOptions<never, never>, 'lowPriority' | 'heapMb'> = {},
): StoreRunner<W> {
  return createThreadRunner<JobsOf<W>, StoreThreadData, Failure>(script, {
    ...options,
    ...(options.heapMb === undefined ? {} : { youngHeapMb: YOUNG_HEAP_MB }),
    data: { location, work },
    // Functions cannot be sent: readings and ingestions go by their name.
    encode: (name, input) => {
      if (name !== 'read' && name !== 'ingest') return input;
      const [named, ...rest] = input as [{ readonly name: string }, ...unknown[]];
      return [named.name, ...rest];
    },
    errors: {
      failed: ({ code, message, hint, cause }) => new StoreError(code, message, hint, cause),
      cancelled: () => new StoreError('store_failed', 'the query was cancelled', 'Try again.'),
      ended: (cause, working) =>
        (working ? answerTooLarge(cause) : null) ??
        new StoreError('store_failed', 'a thread of the store ended', 'Try again; report it if it persists.', cause),
    },
  });
}

/**
 * What a thread of the store runs.
 * @param known every reading and ingestion the store may be asked to run: a thread is sent only their names
 */
export function serveStoreJobs(known: {
  readonly readings: readonly Reading<never, unknown>[];
  readonly ingestions: readonly Ingestion<never, unknown>[];
}): void {
  const named = new Map(
    [...known.readings, ...known.ingestions].map((one): [string, { readonly name: string }] => [one.name, one]),
  );
  serveJobs<StoreThreadData>(
    async ({ location, work }, control) => {
      const jobs = (await OPEN[work](location, control)) as object as Record<string, (...input: unknown[]) => unknown>;
      const byName =
        (job: 'read' | 'ingest') =>
        (name: unknown, ...rest: unknown[]) => {
          const found = named.get(name as string);
          if (found === undefined) throw new Error(`store-thread.ts lists no ${name}`);
          return jobs[job]?.(found, ...rest);
        };
      return { ...jobs, read: byName('read'), ingest: byName('ingest') };
    },
    (error): Failure => {
      const { code, message, hint, cause } = translateError(error);
      return { code, message, hint, cause: cause instanceof Error ? (cause.stack ?? cause.message) : String(cause) };
    },
    (output) => {
      const { rest } = (output ?? {}) as { readonly rest?: unknown };
      return rest instanceof Uint8Array && rest.buffer instanceof ArrayBuffer ? [rest.buffer] : [];
    },
  );
}
