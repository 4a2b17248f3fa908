import Database from 'better-sqlite3';
import type { JobControl } from '../../lib/worker-pool.ts';
import { createQuestionJobs, type QuestionJobs } from '../passes/question-jobs.ts';
import { MAX_KEPT_ROWS } from '../passes/range-reader.ts';
import type { Backlog, ErasedBy } from '../store.ts';
import { createDayCheck } from './check-day.ts';
import { createClockCorrections } from './clock-corrections.ts';
import { createCompaction } from './compact-chunks.ts';
import { createErasure } from './erase-client.ts';
import { createFinalizeBucket } from './finalize-bucket.ts';
import type { DatabaseLocation } from './open-database.ts';
import { createBacklogReader } from './outbox.ts';
import { type ChunkFault, createFindUnreadable } from './quarantine.ts';
import { createReadTransaction } from './read-transaction.ts';
import { createPendingRollup } from './roll-up-pending.ts';
import { createFleetSource } from './sqlite-fleet.ts';
import { createRanges } from './sqlite-ranges.ts';
import type { StoreWrites } from './store-writes.ts';
import { createForgetClients, createStoredCatalog } from './stored-catalog.ts';
import { createKeptRange } from './stored-plan.ts';

/** Reading ten million samples takes several seconds: beyond this the answer would take too long. */
const MAX_FINE_SAMPLES = 200_000_000;

/**
 * All jobs that read or compute a lot, over a read-only connection of their own. Plain data in and out, so that they
 * can run in another thread. Each job sees one snapshot.
 */
export interface ReaderJobs extends QuestionJobs {
  rollUpPending(): StoreWrites | null;
  /** The chunks of the next step. */
  pendingChunks(): readonly number[];
  /** Which of these chunks can't be processed, and why. */
  findUnreadable(chunks: readonly number[]): readonly ChunkFault[];
  findUnreadableOfDay(day: number): readonly ChunkFault[];
  /** Why a chunk in quarantine still can't be processed; null if it can. */
  faultInQuarantine(chunk: number): string | null;
  finalizeDay(day: number): StoreWrites;
  finalizeMonth(month: number): StoreWrites;
  compactDay(day: number): StoreWrites | null;
  /** null if that day has no such samples. With null for `whose` the day's hours are rebuilt. */
  eraseFromDay(whose: ErasedBy | null, day: number): StoreWrites | null;
  /** Removes some browsers that have no samples left; null once there are none. */
  forgetClients(): StoreWrites | null;
  /** Faults of a day's rollups, in words. */
  checkDay(day: number): readonly string[];
  /** Chunks that wait to be forwarded. */
  backlog(): Backlog;
  /** To be called if computed writes were not applied. */
  startOver(): null;
  /** Copies the log into the database while the writer goes on. False if a reader of an older snapshot prevents it. */
  checkpoint(): boolean;
  /** Also truncates the log; false if another connection is reading or writing. Does not wait. */
  emptyLog(): boolean;
  close(): void;
}

/** @param keptRows ranges of up to this many rows are kept for the next pass */
export function openReaderJobs({ file }: DatabaseLocation, control: JobControl, keptRows = MAX_KEPT_ROWS): ReaderJobs {
  const database = new Database(file, { readonly: true });
  const catalog = createStoredCatalog(database);
  const catalogNow = () => catalog.now();
  const openRange = createRanges(database, keptRows);
  const pendingRollup = createPendingRollup(database, catalogNow);
  const unreadable = createFindUnreadable(database);
  const finalizeBucket = createFinalizeBucket(database, catalogNow);
  const compact = createCompaction(database);
  const erase = createErasure(database, catalogNow);
  const forgetClients = createForgetClients(database);
  const checkDay = createDayCheck(database, catalogNow);
  const step = database.prepare<[], number>('SELECT step FROM state').pluck();
  const stored = database
    .prepare<[number, number], number>('SELECT sum(n) FROM chunk WHERE t1 >= ? AND t0 < ?')
    .pluck();

  const samplesFrom = database.prepare<[], number>('SELECT samples_from FROM state').pluck();
  const inSnapshot = <T>(job: () => T): T => database.transaction(job)();
  const inTransaction = createReadTransaction(database);
  const currentStep = () => step.get() ?? 0;
  const questions = createQuestionJobs(
    {
      openRange,
      isKept: ({ from, to }, n) => from >= (samplesFrom.get() ?? 0) && n <= (stored.get(from, to) ?? 0),
      maxFineSamples: MAX_FINE_SAMPLES,
      kept: createKeptRange(database),
      clockCorrections: createClockCorrections(database),
      fleet: createFleetSource(database),
      catalog: catalogNow,
      inSnapshot: (_, job) => inTransaction(job),
    },
    control,
  );
  return {
    ...questions,
    rollUpPending: () => inSnapshot(() => pendingRollup.compute(currentStep())),
    pendingChunks: () => pendingRollup.next(),
    findUnreadable: (chunks) => inSnapshot(() => unreadable.among(chunks)),
    findUnreadableOfDay: (day) => inSnapshot(() => unreadable.ofDay(day)),
    faultInQuarantine: (chunk) => unreadable.inQuarantine(chunk),
    finalizeDay: (day) => inSnapshot(() => finalizeBucket.day(currentStep(), day)),
    finalizeMonth: (month) => inSnapshot(() => finalizeBucket.month(currentStep(), month)),
    compactDay: (day) => inSnapshot(() => compact(currentStep(), day)),
    eraseFromDay: (whose, day) => inSnapshot(() => erase(currentStep(), whose, day)),
    forgetClients: () => inSnapshot(() => forgetClients(currentStep())),
    checkDay: (day) => inSnapshot(() => checkDay(day)),
    backlog: createBacklogReader(database),
    startOver() {
      catalog.forget();
      return null;
    },
    checkpoint: () => isWhole(copyLog(file, 'PASSIVE')),
    // Truncating blocks the writer, so everything must have been copied before.
    emptyLog: () => isWhole(copyLog(file, 'PASSIVE')) && copyLog(file, 'TRUNCATE').busy === 0,
    close: () => database.close(),
  };
}

interface LogCopied {
  /** 1 if another connection was in the way. */
  readonly busy: number;
  /** Pages that the log holds, and how many of them are in the database file. */
  readonly log: number;
  readonly checkpointed: number;
}

/** If it could not start at all, both numbers are −1. */
function isWhole({ busy, log, checkpointed }: LogCopied): boolean {
  return busy === 0 && log === checkpointed;
}

/** Writes only data that are already committed: https://www.sqlite.org/pragma.html#pragma_wal_checkpoint */
function copyLog(file: string, mode: 'PASSIVE' | 'TRUNCATE'): LogCopied {
  const writer = new Database(file, { timeout: 0 });
  try {
    const [copied] = writer.pragma(`wal_checkpoint(${mode})`) as [LogCopied];
    return copied;
  } finally {
    writer.close();
  }
}
