/** `busy`: no room for what everybody sent. `rate_limited`: this client or its key has sent too much. */
export type RefusalReason = 'busy' | 'rate_limited';

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
