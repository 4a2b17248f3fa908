import type { SampleColumns } from '../../../shared/sample/sample-columns.ts';

/**
 * Rows of decoded chunks that a connection keeps, about 250 bytes each with every column that questions look at: both
 * edges of a range, on a store of ten million samples a month.
 */
export const MAX_CHUNK_ROWS = 60_000;

/** Decoded chunks by their id, the last that were asked for. */
export interface KeptChunks {
  /** As it was kept, or as `read` gives it; null where there is no such chunk. @param n rows it has */
  take(id: number, n: number, read: () => SampleColumns | null): SampleColumns | null;
  /** Forgets them all unless the revision is the one they were read at. */
  seenAt(revision: number): void;
}

/**
 * A page of the dashboard asks a dozen questions about one range, and each would decode the chunks at its edges anew.
 * Chunks never change and their ids are never used again, so only those that were erased or pruned must not stay.
 */
export function createKeptChunks(maxRows = MAX_CHUNK_ROWS): KeptChunks {
  /** In the order they were last asked for. */
  const kept = new Map<number, SampleColumns>();
  let rows = 0;
  let readAt = -1;

  function forget(id: number): void {
    rows -= kept.get(id)?.n ?? 0;
    kept.delete(id);
  }

  return {
    take(id, n, read) {
      const columns = kept.get(id) ?? read();
      if (columns === null || n > maxRows) return columns;
      forget(id);
      kept.set(id, columns);
      rows += columns.n;
      for (const oldest of kept.keys()) {
        if (rows <= maxRows) break;
        forget(oldest);
      }
      return columns;
    },
    seenAt(revision) {
      if (revision !== readAt) {
        kept.clear();
        rows = 0;
      }
      readAt = revision;
    },
  };
}
