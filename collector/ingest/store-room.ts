import type { FreeSpace } from '../storage/store.ts';
import { StoreError } from '../storage/store-error.ts';
import type { StorageQuotas } from './storage-quotas.ts';

/** While batches come, the disk is looked at this often, ms. */
const LOOK_EVERY_MS = 1000;
/** What a body takes is written to the log first, and to the database file when the log is copied. */
const WRITTEN_TIMES = 2;

/** Of the disk, what batches leave free. */
export interface Reserve {
  readonly leastBytes: number;
  /** Of the whole disk, where that is more. */
  readonly share: number;
  /** Of the whole disk, even where that is less. */
  readonly mostShare: number;
}

/** A full disk could not even be cleared: to revoke a key, to erase, to prune and to copy the log all take room first. */
export interface StoreRoom {
  /** Looks at the disk when it is time: to be called with every batch, also those that are refused for another reason. */
  batchArrives(): void;
  /** Throws a StoreError where a batch would take from the reserve. Otherwise `leave` has to follow once it is stored, or not. */
  enter(bytes: number): Promise<void>;
  leave(bytes: number): void;
  /** Throws a StoreError where the next batch, of the size that was last refused, would be refused. */
  check(): Promise<void>;
}

interface StoreRoomDeps {
  readonly freeSpace: () => Promise<FreeSpace | null>;
  readonly quotas: Pick<StorageQuotas, 'setFree'>;
  readonly reserve: Reserve;
  readonly clock: () => number;
  /** Told why nothing could be said of the free space; what was known stays. */
  readonly failed: (error: unknown) => void;
}

export function reserveOf({ leastBytes, share, mostShare }: Reserve, diskBytes: number): number {
  return Math.min(Math.max(leastBytes, diskBytes * share), diskBytes * mostShare);
}

/**
 * What batches may still take, by what they leave free: pages of what was removed are written again, but the log needs room
 * on the disk itself, so that half of the reserve has to be there.
 */
export function spareBytes({ bytes, onDisk, size }: FreeSpace, reserve: Reserve): number {
  const reserved = reserveOf(reserve, size);
  return Math.min(bytes - reserved, onDisk - reserved / 2);
}

/** Decides from the last look at the disk and from what came in since; refuses by a fresh look only. */
export function createStoreRoom({ freeSpace, quotas, reserve, clock, failed }: StoreRoomDeps): StoreRoom {
  /** As of the last look; null while nothing is known. */
  let spare: number | null = null;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> | null = null;
  /** Bytes of bodies that are being stored. */
  let held = 0;
  /** Those that the last look may not have seen, `held` at that time included. */
  let unseen = 0;
  /** Of the last batch, where it was refused. */
  let refused = 0;

  async function lookOnce(): Promise<void> {
    lookedAt = clock();
    const [heldBefore, unseenBefore] = [held, unseen];
    try {
      const space = await freeSpace();
      if (space === null) return;
      spare = spareBytes(space, reserve);
      unseen += heldBefore - unseenBefore;
      // Not less than the reserve: on a full disk a sender who stored little is told that it is full, not that his quota is used up.
      quotas.setFree(Math.max(spare, reserveOf(reserve, space.size), 1));
    } catch (error) {
      failed(error);
    }
  }

  function look(): Promise<void> {
    looking ??= lookOnce().finally(() => {
      looking = null;
    });
    return looking;
  }

  const fits = (bytes: number) => spare === null || (unseen + bytes) * WRITTEN_TIMES <= spare;

  function refuseUnlessFits(bytes: number): void {
    if (fits(bytes)) return;
    refused = bytes;
    throw new StoreError(
      'store_full',
      'the disk is full but for a reserve',
      'Make room on the disk of the data folder; the reserve is for revoking, erasing and pruning.',
    );
  }

  return {
    batchArrives() {
      // In either direction: a clock that was set back must not stop it.
      if (Math.abs(clock() - lookedAt) >= LOOK_EVERY_MS) void look();
    },
    async enter(bytes) {
      if (!fits(bytes)) await look();
      refuseUnlessFits(bytes);
      refused = 0;
      held += bytes;
      unseen += bytes;
    },
    leave(bytes) {
      held -= bytes;
    },
    async check() {
      await look();
      refuseUnlessFits(refused);
    },
  };
}
