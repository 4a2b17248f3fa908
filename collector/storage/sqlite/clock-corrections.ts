import type { Database } from 'better-sqlite3';
import type { QuestionEngine } from '../passes/question-jobs.ts';
import type { ClockCorrections } from '../passes/reading-source.ts';

export function createClockCorrections(database: Database): QuestionEngine['clockCorrections'] {
  const clocks = database.prepare<[number, number], ClockCorrections>(
    `SELECT count(*) AS batches, coalesce(sum(clock_correction <> 0), 0) AS corrected,
       coalesce(max(abs(clock_correction)), 0) AS largestMs
     FROM batch WHERE received_at >= ? AND received_at < ?`,
  );
  return ({ from, to }) => clocks.get(from, to) ?? { batches: 0, corrected: 0, largestMs: 0 };
}
