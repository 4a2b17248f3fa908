import type { FreeSpace } from '../../storage/store.ts';
import { StoreError } from '../../storage/store-error.ts';
import { TokenBucket } from './token-bucket.ts';

const DAY_SECONDS = 86_400;
/** Share of either quota for all browsers together that have been known for less than a day. */
const RECENT_BROWSERS_SHARE = 1 / 2;
/** Upper bound of the minimum quotas, as a share of the free space. */
const MOST_OF_FREE = 1 / 2;

/**
 * Share of its quota that a network may store whatever others store with the same key; only the rest counts towards the
 * key.
 */
export const ALLOWED_PART = 1 / 16;

/** Per day, as shares of the free space. */
export interface StorageShares {
  readonly network: number;
  readonly key: number;
  /** The minimum quota of a network, and half of that of a key; neither exceeds half of the free space. */
  readonly leastBytes: number;
  readonly reserve: Reserve;
}

/** Recently stored by one network or key, in bytes of the database. */
export interface StorageQuota {
  readonly all: TokenBucket;
  readonly recent: TokenBucket;
}

/**
 * How much may be stored a day, as shares of the free disk space; rates (client-quotas.ts) only limit how fast. A browser
 * stores 100 to 150 KB a working day, so 20,000 of them behind one address need 24 GB of free space.
 *
 * Quotas refill continuously, not at midnight: a network that used up its own continues at that pace. They are reset by a
 * restart, which no sender can cause, while the free space they derive from is not.
 */
export class StorageQuotas {
  readonly #shares: StorageShares;
  readonly #network = unlimited();
  readonly #key = unlimited();

  constructor(shares: StorageShares) {
    this.#shares = shares;
  }

  /** @param bytes free; nothing is limited before the first call */
  setFree(bytes: number): void {
    const { network, key, leastBytes } = this.#shares;
    const half = bytes * MOST_OF_FREE;
    setDaily(this.#network, Math.max(Math.min(leastBytes, half), bytes * network));
    setDaily(this.#key, Math.max(Math.min(2 * leastBytes, half), bytes * key));
  }

  ofNetwork(now: number): StorageQuota {
    return quotaOf(this.#network, now);
  }

  ofKey(now: number): StorageQuota {
    return quotaOf(this.#key, now);
  }
}

interface Limits {
  readonly all: { rate: number; burst: number };
  readonly recent: { rate: number; burst: number };
}

function unlimited(): Limits {
  // Not Infinity: zero elapsed time times an infinite rate is NaN.
  const none = () => ({ rate: Number.MAX_VALUE, burst: Number.POSITIVE_INFINITY });
  return { all: none(), recent: none() };
}

/** In place: existing buckets refer to these limits. */
function setDaily({ all, recent }: Limits, bytes: number): void {
  Object.assign(all, { rate: bytes / DAY_SECONDS, burst: bytes });
  Object.assign(recent, { rate: (bytes * RECENT_BROWSERS_SHARE) / DAY_SECONDS, burst: bytes * RECENT_BROWSERS_SHARE });
}

function quotaOf({ all, recent }: Limits, now: number): StorageQuota {
  return { all: new TokenBucket(all, now), recent: new TokenBucket(recent, now) };
}

/** How often the free space is checked while batches arrive, ms. */
const CHECK_EVERY_MS = 1000;
/** A body is written to the log first, and to the database file when the log is copied. */
const WRITTEN_TIMES = 2;

/** Disk space that batches leave free. */
export interface Reserve {
  readonly leastBytes: number;
  /** Share of the whole disk, if that is more than `leastBytes`. */
  readonly share: number;
  /** Upper bound as a share of the whole disk, even if that is less than `leastBytes`. */
  readonly mostShare: number;
}

/**
 * Without a reserve, a full disk could not even be cleaned up: revoking a key, erasing, pruning and copying the log all
 * need space first.
 */
export interface DiskReserve {
  /** Checks the free space when due. Call it for every batch, including those that are refused for other reasons. */
  batchArrives(): void;
  /** Throws a StoreError if a batch would use the reserve. Otherwise call `release` once it is stored or has failed. */
  reserve(bytes: number): Promise<void>;
  release(bytes: number): void;
  /** Throws a StoreError if another batch of the size last refused would be refused again. */
  check(): Promise<void>;
}

interface DiskReserveDeps {
  readonly freeSpace: () => Promise<FreeSpace | null>;
  readonly quotas: Pick<StorageQuotas, 'setFree'>;
  readonly reserve: Reserve;
  readonly clock: () => number;
  /** Reports why the free space could not be read; the last known value stays. */
  readonly failed: (error: unknown) => void;
}

export function reserveOf({ leastBytes, share, mostShare }: Reserve, diskBytes: number): number {
  return Math.min(Math.max(leastBytes, diskBytes * share), diskBytes * mostShare);
}

/**
 * Bytes available to batches. Free pages of the database are reused, but the log needs space on the disk itself, so half of
 * the reserve has to be there.
 */
export function spareBytes({ bytes, onDisk, size }: FreeSpace, reserve: Reserve): number {
  const reserved = reserveOf(reserve, size);
  return Math.min(bytes - reserved, onDisk - reserved / 2);
}

/** Decides by the last check of the disk and what has arrived since; before it refuses, it checks again. */
export function createDiskReserve({ freeSpace, quotas, reserve, clock, failed }: DiskReserveDeps): DiskReserve {
  /** As of the last check; null if unknown. */
  let spare: number | null = null;
  let checkedAt = Number.NEGATIVE_INFINITY;
  let checking: Promise<void> | null = null;
  /** Bytes of bodies that are being stored. */
  let held = 0;
  /** Those that the last check may have missed, including `held` at that time. */
  let unseen = 0;
  /** Size of the last batch if it was refused, else 0. */
  let refused = 0;

  async function checkOnce(): Promise<void> {
    checkedAt = clock();
    const [heldBefore, unseenBefore] = [held, unseen];
    try {
      const space = await freeSpace();
      if (space === null) return;
      spare = spareBytes(space, reserve);
      unseen += heldBefore - unseenBefore;
      // At least the reserve: on a full disk, senders that stored little get `store_full` rather than `quota_exceeded`.
      quotas.setFree(Math.max(spare, reserveOf(reserve, space.size), 1));
    } catch (error) {
      failed(error);
    }
  }

  function checkDisk(): Promise<void> {
    checking ??= checkOnce().finally(() => {
      checking = null;
    });
    return checking;
  }

  const fits = (bytes: number) => spare === null || (unseen + bytes) * WRITTEN_TIMES <= spare;

  function refuseUnlessFits(bytes: number): void {
    if (fits(bytes)) return;
    refused = bytes;
    throw new StoreError(
      'store_full',
      'the disk is full except for a reserve',
      'Free space on the disk of the data folder; the reserve is for revoking, erasing and pruning.',
    );
  }

  return {
    batchArrives() {
      // In either direction: setting the clock back must not stop the checks.
      if (Math.abs(clock() - checkedAt) >= CHECK_EVERY_MS) void checkDisk();
    },
    async reserve(bytes) {
      if (!fits(bytes)) await checkDisk();
      refuseUnlessFits(bytes);
      refused = 0;
      held += bytes;
      unseen += bytes;
    },
    release(bytes) {
      held -= bytes;
    },
    async check() {
      await checkDisk();
      refuseUnlessFits(refused);
    },
  };
}
