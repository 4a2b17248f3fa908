import type { StorageQuotas } from './storage-quotas.ts';

/** A disk fills at some 100 MB a second at most, and an hour's quota is far less than what is free, ms. */
const LOOK_EVERY_MS = 60_000;

/**
 * Keeps quotas to what the store has left.
 *
 * @param failed told why nothing could be said of the free space; the quotas stay as they are
 * @returns to be called as batches come: without any, nothing fills the disk
 */
export function watchFreeSpace(
  freeBytes: () => Promise<number | null>,
  quotas: Pick<StorageQuotas, 'setFree'>,
  clock: () => number,
  failed: (error: unknown) => void,
): () => void {
  let lookedAt = Number.NEGATIVE_INFINITY;
  return () => {
    const now = clock();
    // In either direction: a clock that was set back must not stop it.
    if (Math.abs(now - lookedAt) < LOOK_EVERY_MS) return;
    lookedAt = now;
    freeBytes().then((bytes) => quotas.setFree(bytes), failed);
  };
}
