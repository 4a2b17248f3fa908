import type { Database } from 'better-sqlite3';
import { decodeChunk } from '../columns/decode-chunk.ts';
import { BucketRollup } from '../rollups/bucket-rollup.ts';
import type { CellCatalog } from '../rollups/cell-catalog.ts';
import { createExactDay } from '../rollups/exact-day.ts';
import { bucketAt, bucketStart, RESOLUTIONS } from '../rollups/resolutions.ts';
import { addDigest } from '../rollups/row-digest.ts';
import { intact, type StoredBlob } from './intact.ts';
import { type BlockWrite, NO_WRITES, type StoreWrites } from './store-writes.ts';

export interface FinalizeBucket {
  /** A day from its hours, and its exact values from its chunks, which must all be rolled up. */
  day(step: number, day: number): StoreWrites;
  /** A month from its days. */
  month(step: number, month: number): StoreWrites;
}

/** Rebuilds coarse rollups from finer ones. Merging is exact, so this can be repeated. */
export function createFinalizeBucket(database: Database, catalogNow: () => CellCatalog): FinalizeBucket {
  const blocks = database.prepare<[number, number, number], StoredBlob & { metric: number }>(
    'SELECT measure AS metric, bytes, crc FROM pack WHERE level = ? AND bucket >= ? AND bucket < ?',
  );
  const digests = database.prepare<[number, number, number], { n: number; a: number; b: number }>(
    'SELECT n, a, b FROM bucket WHERE level = ? AND bucket >= ? AND bucket < ?',
  );
  const chunks = database.prepare<[number, number], StoredBlob>(
    'SELECT bytes, crc FROM chunk WHERE t1 >= ? AND t0 < ? AND id NOT IN (SELECT chunk FROM pending)',
  );

  function merged(from: 'hour' | 'day', first: number, end: number, resolution: 'day' | 'month', bucket: number) {
    const rollup = new BucketRollup();
    for (const { metric, ...blob } of blocks.iterate(RESOLUTIONS[from], first, end)) {
      rollup.addBlock({ metric: metric, bytes: intact(blob, 'a rollup') });
    }
    for (const digest of digests.iterate(RESOLUTIONS[from], first, end)) addDigest(rollup.digest, digest);
    return {
      emptied: [{ resolution, bucket }],
      blocks: rollup.blocks().map((block): BlockWrite => ({ resolution, bucket, ...block })),
      buckets: [{ resolution, bucket, ...rollup.digest }],
    };
  }

  return {
    day(step, day) {
      const [from, to] = [bucketStart('day', day), bucketStart('day', day + 1)];
      const whole = merged('hour', bucketAt('hour', from), bucketAt('hour', to), 'day', day);
      const catalog = catalogNow();
      const exact = createExactDay(catalog);
      for (const blob of chunks.iterate(from, to)) exact.add(decodeChunk(intact(blob, 'a chunk of samples')), from, to);
      const exactPacks = exact.blocks().map((block): BlockWrite => ({ resolution: 'exact', bucket: day, ...block }));
      return {
        ...NO_WRITES,
        step,
        ...catalog.takeNew(),
        ...whole,
        emptied: [...whole.emptied, { resolution: 'exact', bucket: day }],
        blocks: [...whole.blocks, ...exactPacks],
      };
    },
    month(step, month) {
      const [from, to] = [bucketStart('month', month), bucketStart('month', month + 1)];
      return { ...NO_WRITES, step, ...merged('day', bucketAt('day', from), bucketAt('day', to), 'month', month) };
    },
  };
}
