/**
 * `busy`: no room for what everybody sent. `rate_limited`: this client or its key has sent too much at once.
 * `quota_exceeded`: its network or key has stored its share of the disk for the day.
 */
export type RefusalReason = 'busy' | 'rate_limited' | 'quota_exceeded';

/** The request is not taken now; it may be sent again after a while. */
export class IntakeRefusal extends Error {
  readonly reason: RefusalReason;
  readonly retryAfterSeconds: number;
  /** Whether it brought a batch, which is to be kept. */
  readonly isBatch: boolean;
  constructor(reason: RefusalReason, retryAfterSeconds: number, isBatch: boolean) {
    super(reason);
    this.name = 'IntakeRefusal';
    this.reason = reason;
    this.retryAfterSeconds = retryAfterSeconds;
    this.isBatch = isBatch;
  }
}
