/** May change while buckets are in use: what was taken stays taken. */
export interface BucketLimit {
  /** Per second, in the long run. */
  readonly rate: number;
  /** At once. */
  readonly burst: number;
}

/**
 * Allows a burst at once and a rate in the long run. Costs are often known only afterwards, so the level may go below zero:
 * then nothing more is allowed until it is above zero again.
 */
export class TokenBucket {
  readonly #limit: BucketLimit;
  #used = 0;
  #at: number;

  /** @param now epoch ms */
  constructor(limit: BucketLimit, now: number) {
    this.#limit = limit;
    this.#at = now;
  }

  level(now: number): number {
    return this.#limit.burst - this.used(now);
  }

  /** Taken and not refilled yet. */
  used(now: number): number {
    // Setting the clock back must not take tokens away.
    const elapsed = Math.max(0, now - this.#at);
    this.#used = Math.max(0, this.#used - (elapsed * this.#limit.rate) / 1000);
    this.#at = now;
    return this.#used;
  }

  /** Used share of the burst: 0 to 1, more if the level is below zero. */
  usedPart(now: number): number {
    return this.used(now) / this.#limit.burst;
  }

  take(cost: number, now: number): void {
    this.#used = this.used(now) + cost;
  }

  isFull(now: number): boolean {
    return this.used(now) === 0;
  }

  /** Seconds until the level is above zero; 0 if it is. */
  secondsUntilOpen(now: number): number {
    return Math.max(0, -this.level(now) / this.#limit.rate);
  }
}
