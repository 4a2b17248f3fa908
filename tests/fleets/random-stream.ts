import { seededRandom } from '../../shared/statistics/seeded-random.ts';

/** Draws of one page view. Each view has its own stream, so that a fault planted elsewhere changes nothing here. */
export class RandomStream {
  readonly uniform: () => number;
  #spare: number | null = null;

  constructor(...key: readonly number[]) {
    this.uniform = seededRandom(hash(key));
  }

  chance(share: number): boolean {
    return this.uniform() < share;
  }

  whole(n: number): number {
    return Math.floor(this.uniform() * n);
  }

  normal(): number {
    if (this.#spare !== null) {
      const spare = this.#spare;
      this.#spare = null;
      return spare;
    }
    const radius = Math.sqrt(-2 * Math.log(1 - this.uniform()));
    const angle = 2 * Math.PI * this.uniform();
    this.#spare = radius * Math.sin(angle);
    return radius * Math.cos(angle);
  }

  lognormal(median: number, sigma: number): number {
    return median * Math.exp(sigma * this.normal());
  }

  exponential(mean: number): number {
    return -mean * Math.log(1 - this.uniform());
  }

  /** Knuth's method: for means of a few dozen at most. */
  poisson(mean: number): number {
    const limit = Math.exp(-mean);
    let product = this.uniform();
    let n = 0;
    while (product > limit) {
      product *= this.uniform();
      n++;
    }
    return n;
  }

  pick<T extends { readonly weight: number }>(items: readonly T[]): T {
    const sum = items.reduce((total, { weight }) => total + weight, 0);
    let left = this.uniform() * sum;
    for (const item of items) {
      left -= item.weight;
      if (left < 0) return item;
    }
    return items[items.length - 1] as T;
  }
}

/** FNV-1a over the numbers' bytes, twice, as one number of 53 bits. */
function hash(key: readonly number[]): number {
  let low = 0x811c9dc5;
  let high = 0x9747b28c;
  for (const part of key) {
    for (let shift = 0; shift < 32; shift += 8) {
      const byte = (part >>> shift) & 0xff;
      low = Math.imul(low ^ byte, 0x01000193);
      high = Math.imul(high ^ byte ^ (low >>> 13), 0x01000193);
    }
  }
  return (low >>> 0) + ((high >>> 0) & 0x1fffff) * 2 ** 32;
}
