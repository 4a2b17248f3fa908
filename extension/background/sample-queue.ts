import type { ClientInfo, Sample } from '../../shared/sample/sample.ts';

/**
 * Samples between page and collector. Every method is one transaction: when it resolves, its effect is on disk.
 * `indexed-db-queue.ts` is the real one; unit tests use their own.
 */
export interface SampleQueue {
  /** Appends the samples of one group; false if the same group was added before, even if it has been sent already. */
  add(group: string, samples: readonly Sample[], at: number): Promise<boolean>;
  /**
   * The batch to send next: the finalized one that has not been acknowledged, else the oldest groups finalized under `id` as a new
   * batch of at most `maxRows` (never splitting a group). null if the queue is empty.
   */
  finalize(id: string, origin: ClientInfo, maxRows: number): Promise<FinalizedBatch | null>;
  /** Removes a finalized batch that was stored or permanently refused. */
  remove(batch: string): Promise<void>;
  /** Queued rows, including those of the finalized batch. */
  count(): Promise<number>;
  /** Rows behind the finalized batch, which `trim` may drop. */
  countDroppable(): Promise<number>;
  /**
   * Drops the oldest groups until the rest behind the finalized batch is within all of these limits; returns the rows dropped.
   * The finalized batch may have reached the collector, so it is neither dropped nor counted.
   */
  trim(limits: QueueLimits): Promise<number>;
}

export interface QueueLimits {
  readonly maxRows: number;
  /** Size of the groups as JSON. */
  readonly maxBytes: number;
  /** Epoch ms; older groups are dropped. */
  readonly oldest: number;
}

export interface FinalizedBatch {
  readonly id: string;
  readonly origin: ClientInfo;
  readonly samples: readonly Sample[];
}
