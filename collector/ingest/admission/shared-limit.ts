import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';

/** Points per window. */
export interface LimitPoints {
  /** Limit of one network, whatever keys it sends. */
  readonly network: number;
  /** The part of that limit which other networks with the same key cannot use up. */
  readonly allowance: number;
  /** Limit of all networks with one key together, beyond their allowances. */
  readonly key: number;
}

/**
 * All managed browsers share a key, so a limit by key alone would let one of them silence all others: networks are limited
 * instead, and the key only beyond what each of them may always use. Points are taken after the fact, since what a body
 * costs is known only once it is stored; a window that is overdrawn lasts no longer for it.
 */
export class SharedLimit {
  readonly #network: RateLimiterMemory;
  readonly #allowance: RateLimiterMemory;
  readonly #key: RateLimiterMemory;

  constructor(points: LimitPoints, windowSeconds: number) {
    const limiter = (points: number) => new RateLimiterMemory({ points, duration: windowSeconds });
    this.#network = limiter(points.network);
    this.#allowance = limiter(points.allowance);
    this.#key = limiter(points.key);
  }

  /** Changes the limits; points already used stay used. */
  setPoints({ network, allowance, key }: LimitPoints): void {
    this.#network.points = network;
    this.#allowance.points = allowance;
    this.#key.points = key;
  }

  /** 0 if points are left. */
  async secondsUntilOpen(network: number, key: string): Promise<number> {
    const own = await secondsLeft(this.#network, network);
    if (own > 0 || (await secondsLeft(this.#allowance, network)) === 0) return own;
    return secondsLeft(this.#key, key);
  }

  async take(points: number, network: number, key: string): Promise<void> {
    const whole = Math.ceil(points);
    const [allowed] = await Promise.all([
      this.#allowance.penalty(network, whole),
      this.#network.penalty(network, whole),
    ]);
    const beyond = Math.min(whole, allowed.consumedPoints - this.#allowance.points);
    if (beyond > 0) await this.#key.penalty(key, beyond);
  }

  /** Used fraction of what a key may use beyond the allowances. */
  async keyUse(key: string): Promise<number> {
    const used = await this.#key.get(key);
    return (used?.consumedPoints ?? 0) / this.#key.points;
  }
}

async function secondsLeft(limiter: RateLimiterMemory, id: number | string): Promise<number> {
  const used = await limiter.get(id);
  return used === null || used.consumedPoints < limiter.points ? 0 : untilNext(limiter, used);
}

/**
 * Seconds until the window ends. The limiter subtracts times of the wall clock and removes a record by a timer: one may be
 * left after its window while the event loop is busy, and a clock that is set back adds what it lost.
 */
export function untilNext(limiter: RateLimiterMemory, { msBeforeNext }: RateLimiterRes): number {
  return Math.min(limiter.duration, Math.max(0, msBeforeNext / 1000));
}
