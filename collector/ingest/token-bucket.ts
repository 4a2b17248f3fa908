/**
 * Allows `burst` at once and `rate` a second in the long run. What something costs is often known only afterwards, so the
 * level may go below zero: nothing more is allowed until it is above zero again.
 */
export class TokenBucket {
  readonly #rate: number;
  readonly #burst: number;
  #level: number;
  #at: number;

  /** @param now epoch ms */
  constructor(rate: number, burst: number, now: number) {
    this.#rate = rate;
    this.#burst = burst;
    this.#level = burst;
    this.#at = now;
  }

  level(now: number): number {
    // A clock that is set back must not take tokens away.
    const elapsed = Math.max(0, now - this.#at);
    this.#level = Math.min(this.#burst, this.#level + (elapsed * this.#rate) / 1000);
    this.#at = now;
    return this.#level;
  }

  take(cost: number, now: number): void {
    this.#level = this.level(now) - cost;
  }

  isFull(now: number): boolean {
    return this.level(now) >= this.#burst;
  }

  /** Until the level is above zero, seconds; 0 where it is. */
  secondsUntilOpen(now: number): number {
    return Math.max(0, -this.level(now) / this.#rate);
  }
}
