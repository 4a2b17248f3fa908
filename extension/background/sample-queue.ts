import type { ClientInfo, Sample } from '../../shared/sample/sample.ts';

/**
 * Samples between the page and the collector. Every method is one transaction: what it says has happened is on disk.
 * `indexed-db-queue.ts` is the real one; unit tests bring their own.
 */
export interface SampleQueue {
  /** Puts the samples of one group at the end; false if the same group was put before, also when it is sent already. */
  add(group: string, samples: readonly Sample[], at: number): Promise<boolean>;
  /**
   * The batch to send next: the one that was sealed and not yet acknowledged, else the oldest groups sealed under
   * `id` into a new one of at most `maxRows` (never splitting a group). null when nothing waits.
   */
  seal(id: string, origin: ClientInfo, maxRows: number): Promise<SealedBatch | null>;
  /** Removes a sealed batch, whether it was stored or refused for good. */
  remove(batch: string): Promise<void>;
  /** Rows that wait, those of the sealed batch included. */
  count(): Promise<number>;
  /** Rows behind the sealed batch: those that `trim` may drop. */
  countUnsealed(): Promise<number>;
  /**
   * Drops the oldest groups until what waits behind the sealed batch keeps to all of these limits; returns the rows
   * dropped. The sealed batch may have reached the collector, so it is neither dropped nor counted against the limits.
   */
  trim(limits: QueueLimits): Promise<number>;
}

export interface QueueLimits {
  readonly maxRows: number;
  /** Of the groups as JSON. */
  readonly maxBytes: number;
  /** Epoch ms; older groups go. */
  readonly oldest: number;
}

export interface SealedBatch {
  readonly id: string;
  readonly origin: ClientInfo;
  readonly samples: readonly Sample[];
}
