import type { Reserve } from './store-room.ts';
import { TokenBucket } from './token-bucket.ts';

const DAY_SECONDS = 86_400;
/** Of either, what browsers known for less than a day may store together: the rest is kept for the others. */
const NEWCOMER_SHARE = 1 / 2;
/** Of the free space, what one network or key may store a day at the most for being promised a least. */
const MOST_OF_FREE = 1 / 2;

/** Of its quota, what a network may store whatever others have stored with the same key; only the rest counts towards the key. */
export const ALLOWED_PART = 1 / 16;

/** Of the free space, what may be stored a day. */
export interface StorageShares {
  readonly network: number;
  readonly key: number;
  /** What a network may store where its share is less, and a key twice that, but neither more than half of what is free. */
  readonly leastBytes: number;
  readonly reserve: Reserve;
}

/** What one network or key stored of late, in bytes of the database. */
export interface StorageAccount {
  readonly all: TokenBucket;
  readonly newcomers: TokenBucket;
}

/**
 * How much may be stored a day, as shares of what the disk has left: what is free tells how much one sender may take, where
 * the rates of sending (client-accounts.ts) only tell how fast. A browser stores 100 to 150 KB a working day, so that
 * 20,000 of them behind one address need 24 GB of free space.
 *
 * Quotas fill up again evenly, not at midnight, so that a network that used up its own goes on at that pace. Nothing is kept
 * over a restart, which no sender can bring about: what was taken is forgotten, but what is free is less by it.
 */
export class StorageQuotas {
  readonly #shares: StorageShares;
  readonly #network = unlimited();
  readonly #key = unlimited();

  constructor(shares: StorageShares) {
    this.#shares = shares;
  }

  /** @param bytes what can still be stored; nothing is limited before the first call */
  setFree(bytes: number): void {
    const { network, key, leastBytes } = this.#shares;
    const half = bytes * MOST_OF_FREE;
    setDaily(this.#network, Math.max(Math.min(leastBytes, half), bytes * network));
    setDaily(this.#key, Math.max(Math.min(2 * leastBytes, half), bytes * key));
  }

  ofNetwork(now: number): StorageAccount {
    return accountOf(this.#network, now);
  }

  ofKey(now: number): StorageAccount {
    return accountOf(this.#key, now);
  }
}

interface Limits {
  readonly all: { rate: number; burst: number };
  readonly newcomers: { rate: number; burst: number };
}

function unlimited(): Limits {
  // Not infinite: no time at all times an infinite rate is no number.
  const none = () => ({ rate: Number.MAX_VALUE, burst: Number.POSITIVE_INFINITY });
  return { all: none(), newcomers: none() };
}

/** In place: the accounts that were made before follow it. */
function setDaily({ all, newcomers }: Limits, bytes: number): void {
  Object.assign(all, { rate: bytes / DAY_SECONDS, burst: bytes });
  Object.assign(newcomers, { rate: (bytes * NEWCOMER_SHARE) / DAY_SECONDS, burst: bytes * NEWCOMER_SHARE });
}

function accountOf({ all, newcomers }: Limits, now: number): StorageAccount {
  return { all: new TokenBucket(all, now), newcomers: new TokenBucket(newcomers, now) };
}
