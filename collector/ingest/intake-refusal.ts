/** `busy`: no room for what everybody sent. `rate_limited`: this client or its key has sent too much. */
export type RefusalReason = 'busy' | 'rate_limited';

/** The body is not taken now; it may be sent again after a while. */
export class IntakeRefusal extends Error {
  readonly reason: RefusalReason;
  readonly retryAfterSeconds: number;
  constructor(reason: RefusalReason, retryAfterSeconds: number) {
    super(reason);
    this.name = 'IntakeRefusal';
    this.reason = reason;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
