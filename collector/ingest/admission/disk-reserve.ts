import type { FreeSpace } from '../../storage/store.ts';
import { StoreError } from '../../storage/store-error.ts';

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

/** Without it, a full disk could not be cleaned up: revoking, erasing, pruning and copying the log need space first. */
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
  /** Told the bytes that are free for batches. */
  readonly quotas: { setFree(bytes: number): void };
  readonly reserve: Reserve;
  readonly clock: () => number;
  /** Reports why the free space could not be read; the last known value stays. */
  readonly failed: (error: unknown) => void;
}

export function toReserve({ leastBytes, share, mostShare }: Reserve, diskBytes: number): number {
  return Math.min(Math.max(leastBytes, diskBytes * share), diskBytes * mostShare);
}

/**
 * Bytes available to batches. Free pages of the database are reused, but the log needs space on the disk itself, so half of
 * the reserve has to be there.
 */
export function spareBytes({ bytes, onDisk, size }: FreeSpace, reserve: Reserve): number {
  const reserved = toReserve(reserve, size);
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
      quotas.setFree(Math.max(spare, toReserve(reserve, space.size), 1));
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
