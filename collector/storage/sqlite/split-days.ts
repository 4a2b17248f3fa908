import type { SampleColumns } from '../../../shared/sample/sample-columns.ts';
import { encodeByDay } from '../columns/encode-by-day.ts';
import { bucketOf } from '../rollups/resolutions.ts';
import { type ChunkSpan, groupsOf } from './chunk-groups.ts';
import type { StoreWrites } from './store-writes.ts';

/**
 * Puts what lies in chunks of several days into chunks of one day each. One late sample makes a chunk reach back over days,
 * and what is done to any of these days would have to read it.
 *
 * @param read those of a group as one; it may use the same memory for each group
 */
export function splitDays(
  chunks: readonly ChunkSpan[],
  read: (group: readonly ChunkSpan[]) => SampleColumns,
): Pick<StoreWrites, 'removedChunks' | 'addedChunks'> {
  const wide = chunks.filter(({ t0, t1 }) => bucketOf('day', t0) !== bucketOf('day', t1));
  return {
    removedChunks: wide.map(({ id }) => id),
    addedChunks: groupsOf(wide).flatMap((group) => encodeByDay(read(group))),
  };
}
