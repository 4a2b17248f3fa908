import type { Database } from 'better-sqlite3';

/**
 * Runs a job on one snapshot, which lasts while the job waits: `database.transaction` takes no asynchronous functions. All
 * that the connection does meanwhile reads that snapshot too, so its jobs have to run one after the other.
 */
export function createReadTransaction(database: Database): <T>(job: () => Promise<T>) => Promise<T> {
  const begin = database.prepare('BEGIN');
  const end = database.prepare('ROLLBACK');
  return async (job) => {
    // Throws if another job's transaction is still open.
    begin.run();
    try {
      return await job();
    } finally {
      // Some errors end the transaction by themselves.
      if (database.inTransaction) end.run();
    }
  };
}
