import { StoreError } from '../store-error.ts';
import type { JobRunner } from '../workers/job-runner.ts';
import type { StoreWrites } from './store-writes.ts';

/** Another process may change the store while something is computed, but not each time. */
const MAX_ATTEMPTS = 20;

/** Computes and writes; null where there was nothing to do. */
export type ApplyWrites = (compute: () => Promise<StoreWrites | null>) => Promise<StoreWrites | null>;

/** @param writer writes what `jobs` compute, in turn with the samples that arrive */
export function createApply(jobs: JobRunner, writer: JobRunner, clock: () => number): ApplyWrites {
  return async (compute) => {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const writes = await compute();
      if (writes === null) return null;
      let written = false;
      try {
        written = await writer.run('apply', [writes, clock()]);
      } finally {
        if (!written) await jobs.run('startOver', []);
      }
      // Refused only if another process changed the store in between: compute it again.
      if (written) return writes;
    }
    const hint = 'Look for another process that works on the data folder all the time.';
    throw new StoreError('store_failed', `the store was changed ${MAX_ATTEMPTS} times while work was under way`, hint);
  };
}
