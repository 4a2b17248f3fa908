import type { AcceptedBatch, AppendOutcome, SampleStore } from '../store/store.ts';

/** Accepted and not yet durable samples the collector holds at most; beyond it browsers are told to come back. */
const MAX_BACKLOG_SAMPLES = 200_000;

export interface GroupCommit {
  /** Resolves once the batch is durable. Throws BacklogFull at once, or a StoreError if it couldn't be stored. */
  add(batch: AcceptedBatch): Promise<AppendOutcome>;
  /** Resolves when everything added so far is durable or has failed. */
  drain(): Promise<void>;
}

export class BacklogFull extends Error {}

interface Waiting {
  readonly batch: AcceptedBatch;
  readonly resolve: (outcome: AppendOutcome) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Everything that arrives in one turn of the event loop becomes one transaction: `synchronous=FULL` costs one sync
 * for all of them, and no timer adds latency. While a slow engine commits, the next group gathers.
 */
export function createGroupCommit(store: SampleStore, maxBacklogSamples = MAX_BACKLOG_SAMPLES): GroupCommit {
  let waiting: Waiting[] = [];
  let backlog = 0;
  let running: Promise<void> | null = null;

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      await new Promise((resolve) => setImmediate(resolve));
      const group = waiting;
      waiting = [];
      await commit(store, group);
      for (const { batch } of group) backlog -= weightOf(batch);
    }
    running = null;
  }

  return {
    add(batch) {
      if (backlog + weightOf(batch) > maxBacklogSamples) return Promise.reject(new BacklogFull());
      backlog += weightOf(batch);
      const outcome = new Promise<AppendOutcome>((resolve, reject) => waiting.push({ batch, resolve, reject }));
      running ??= run();
      return outcome;
    },
    async drain() {
      await running;
    },
  };
}

/** A batch without accepted rows still takes room. */
function weightOf(batch: AcceptedBatch): number {
  return batch.columns.n + 1;
}

async function commit(store: SampleStore, group: readonly Waiting[]): Promise<void> {
  try {
    const outcomes = await store.append(group.map(({ batch }) => batch));
    group.forEach(({ resolve, reject }, place) => {
      const outcome = outcomes[place];
      if (outcome === undefined) reject(new Error('the store answered fewer batches than it was given'));
      else resolve(outcome);
    });
  } catch (error) {
    for (const { reject } of group) reject(error);
  }
}
