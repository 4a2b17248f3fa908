import { StoreError } from '../store-error.ts';
import type { ChunkFault } from './quarantine.ts';
import type { StoreRunner } from './store-thread.ts';
import type { StoreWrites } from './store-writes.ts';

/** Errors that a chunk may have caused. A full disk or a held lock is not its fault: the work fails and is retried. */
const CHUNKS_FAULTS: ReadonlySet<string> = new Set(['store_failed', 'store_corrupt']);

export interface AroundFaults {
  /** One step of the rollup; resolves to whether more may wait. */
  rollUpStep(): Promise<boolean>;
  /** Does a day's work, repeating it without the day's unprocessable chunks if it fails. */
  onDay<T>(day: number, work: () => Promise<T>): Promise<T>;
}

interface Parts {
  readonly jobs: StoreRunner<'reader'>;
  readonly writer: StoreRunner<'writer'>;
  readonly apply: ApplyWrites;
  readonly clock: () => number;
  /** Called whenever chunks were set aside. */
  readonly setAside: (error: StoreError) => void;
}

/** Sets chunks that can't be processed aside, with the reason, and continues with all others. */
export function createAroundFaults({ jobs, writer, apply, clock, setAside }: Parts): AroundFaults {
  async function moveAway(faults: readonly ChunkFault[]): Promise<void> {
    const moved = await writer.run('setAside', [faults, clock()]);
    if (moved === 0) return;
    const what = `${moved} ${moved === 1 ? 'chunk' : 'chunks'} of samples can't be processed and was set aside`;
    setAside(
      new StoreError('store_corrupt', `${what}: ${faults[0]?.reason}`, 'lastbyte check lists what is in quarantine.'),
    );
  }

  async function withoutFaults<T>(look: () => Promise<readonly ChunkFault[]>, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!mayBeAChunks(error)) throw error;
      const faults = await look().catch((failure: unknown) => {
        // The search may fail as the work did, for example if a chunk ends the thread that reads it.
        throw mayBeAChunks(failure) ? error : failure;
      });
      if (faults.length === 0) throw error;
      await moveAway(faults);
      return withoutFaults(look, work);
    }
  }

  return {
    rollUpStep: () =>
      withoutFaults(
        async () => jobs.run('findUnreadable', [await jobs.run('pendingChunks', [])]),
        async () => (await apply(() => jobs.run('rollUpPending', [])))?.moreWaits ?? false,
      ),
    onDay: (day, work) => withoutFaults(() => jobs.run('findUnreadableOfDay', [day]), work),
  };
}

function mayBeAChunks(error: unknown): boolean {
  return error instanceof StoreError && CHUNKS_FAULTS.has(error.code);
}

/** Another process may change the store during a computation, but not every time. */
const MAX_ATTEMPTS = 20;

/** Computes and writes; null if there was nothing to do. */
export type ApplyWrites = (compute: () => Promise<StoreWrites | null>) => Promise<StoreWrites | null>;

/** @param writer writes the results of `jobs` between arriving samples */
export function createApply(
  jobs: StoreRunner<'reader'>,
  writer: StoreRunner<'writer'>,
  clock: () => number,
): ApplyWrites {
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
      // Refused only if another process changed the store meanwhile: compute again.
      if (written) return writes;
    }
    const hint = 'Check for another process that keeps writing to the data folder.';
    throw new StoreError('store_failed', `the store was changed ${MAX_ATTEMPTS} times during a computation`, hint);
  };
}
