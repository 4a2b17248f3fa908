import { reasonOf, StoreError } from '../store-error.ts';
import type { ChunkFault } from './quarantine.ts';
import type { StoreRunner } from './store-thread.ts';
import type { StoreWrites } from './store-writes.ts';

/** A disk that is full or a lock that is held is no chunk's fault; such work fails as a whole and is tried again. */
const CHUNKS_FAULTS: ReadonlySet<string> = new Set(['store_failed', 'store_corrupt']);

export interface AroundFaults {
  /** One step of the rollup; resolves to whether more may wait. */
  rollUpStep(): Promise<boolean>;
  /** Does a day's work, if need be again without the chunks of the day that can't be processed. */
  onDay<T>(day: number, work: () => Promise<T>): Promise<T>;
}

interface Parts {
  readonly jobs: StoreRunner<'reader'>;
  readonly writer: StoreRunner<'writer'>;
  readonly apply: ApplyWrites;
  readonly clock: () => number;
  /** Told of each time that chunks were set aside. */
  readonly setAside: (error: StoreError) => void;
}

/** Goes on past chunks that can't be processed: they are set aside, with the reason, and all others are worked on. */
export function createAroundFaults({ jobs, writer, apply, clock, setAside }: Parts): AroundFaults {
  const rollUp = (among: readonly number[] | null) => apply(() => jobs.run('rollUpPending', [among]));

  async function moveAway(faults: readonly ChunkFault[]): Promise<void> {
    const moved = await writer.run('setAside', [faults, clock()]);
    if (moved === 0) return;
    const what = `${moved} ${moved === 1 ? 'chunk' : 'chunks'} of samples can't be processed and was set aside`;
    setAside(
      new StoreError('store_corrupt', `${what}: ${faults[0]?.reason}`, 'lastbyte check lists what is in quarantine.'),
    );
  }

  /**
   * Halves what fails until single chunks are left. Slower than reading each of them, but it also finds what only fails
   * once it is written, or ends the thread that tries.
   */
  async function isolate(chunks: readonly number[]): Promise<{ covered: number; faults: ChunkFault[] }> {
    try {
      return { covered: (await rollUp(chunks))?.covered.length ?? 0, faults: [] };
    } catch (error) {
      if (!mayBeAChunks(error)) throw error;
      const [only] = chunks;
      if (only === undefined) throw error;
      if (chunks.length === 1) return { covered: 0, faults: [{ id: only, reason: reasonOf(error) }] };
      const middle = Math.ceil(chunks.length / 2);
      const first = await isolate(chunks.slice(0, middle));
      const second = await isolate(chunks.slice(middle));
      return { covered: first.covered + second.covered, faults: [...first.faults, ...second.faults] };
    }
  }

  async function rollUpAround(error: unknown): Promise<boolean> {
    const chunks = await jobs.run('pendingChunks', []);
    const unreadable = await found(() => jobs.run('findUnreadable', [chunks]));
    if (unreadable.length > 0) {
      await moveAway(unreadable);
      return rollUpStep();
    }
    const { covered, faults } = await isolate(chunks);
    // What fails with every chunk is the fault of none.
    if (faults.length > 0 && covered === 0) throw error;
    if (faults.length > 0) await moveAway(faults);
    return covered > 0;
  }

  async function rollUpStep(): Promise<boolean> {
    try {
      return (await rollUp(null))?.moreWaits ?? false;
    } catch (error) {
      if (!mayBeAChunks(error)) throw error;
      return rollUpAround(error);
    }
  }

  return {
    rollUpStep,
    async onDay(day, work) {
      try {
        return await work();
      } catch (error) {
        if (!mayBeAChunks(error)) throw error;
        const faults = await found(() => jobs.run('findUnreadableOfDay', [day]));
        if (faults.length === 0) throw error;
        await moveAway(faults);
        return await work();
      }
    },
  };
}

function mayBeAChunks(error: unknown): boolean {
  return error instanceof StoreError && CHUNKS_FAULTS.has(error.code);
}

/** Looking may fail as the work did, say where a chunk ends the thread that reads it; then nothing was found this way. */
async function found(look: () => Promise<readonly ChunkFault[]>): Promise<readonly ChunkFault[]> {
  try {
    return await look();
  } catch (error) {
    if (mayBeAChunks(error)) return [];
    throw error;
  }
}

/** Another process may change the store while something is computed, but not each time. */
const MAX_ATTEMPTS = 20;

/** Computes and writes; null where there was nothing to do. */
export type ApplyWrites = (compute: () => Promise<StoreWrites | null>) => Promise<StoreWrites | null>;

/** @param writer writes what `jobs` compute, in turn with the samples that arrive */
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
      // Refused only if another process changed the store in between: compute it again.
      if (written) return writes;
    }
    const hint = 'Look for another process that works on the data folder all the time.';
    throw new StoreError('store_failed', `the store was changed ${MAX_ATTEMPTS} times while work was under way`, hint);
  };
}
