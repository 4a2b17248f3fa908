import type { Database } from 'better-sqlite3';
import { decodeChunk } from '../columns/decode-chunk.ts';
import { BucketRollup, type RollupBlock } from '../rollups/bucket-rollup.ts';
import type { CellCatalog } from '../rollups/cell-catalog.ts';
import { createExactDay } from '../rollups/exact-day.ts';
import { bucketAt, bucketStart, RESOLUTIONS, type Resolution } from '../rollups/resolutions.ts';
import { rebuildHours } from '../rollups/roll-up.ts';
import { addDigest } from '../rollups/row-digest.ts';

/**
 * Compares the rollups of a day with its samples: every block of its hours, and of the day if it is finalized, must equal a
 * rebuild byte by byte, except for samples that no rollup covers yet. For days whose samples are complete.
 */
export function createDayCheck(database: Database, catalogNow: () => CellCatalog): (day: number) => string[] {
  const chunks = database
    .prepare<[number, number], Buffer>(
      'SELECT bytes FROM chunk WHERE t1 >= ? AND t0 < ? AND id NOT IN (SELECT chunk FROM pending)',
    )
    .pluck();
  const blocks = database.prepare<[number, number], { metric: number; bytes: Buffer }>(
    'SELECT measure AS metric, bytes FROM pack WHERE level = ? AND bucket = ? ORDER BY measure',
  );
  const bucket = database.prepare<[number, number], { n: number; a: number; b: number; stale: number | null }>(
    'SELECT n, a, b, stale_since AS stale FROM bucket WHERE level = ? AND bucket = ?',
  );

  return (day) => {
    const faults: string[] = [];
    const catalog = catalogNow();
    const [from, to] = [bucketStart('day', day), bucketStart('day', day + 1)];
    const compare = (resolution: Resolution, number: number, expected: readonly RollupBlock[]) => {
      const stored = blocks.all(RESOLUTIONS[resolution], number);
      const equal =
        stored.length === expected.length &&
        stored.every(({ metric, bytes }, i) => expected[i]?.metric === metric && bytes.equals(expected[i].bytes));
      if (!equal) faults.push(`the ${resolution} rollup from ${nameOf(resolution, number)} does not match its samples`);
    };
    const compareDigest = (resolution: Resolution, number: number, rollup: BucketRollup) => {
      const { n, a, b } = bucket.get(RESOLUTIONS[resolution], number) ?? { n: 0, a: 0, b: 0 };
      const { digest } = rollup;
      if (n !== digest.n || a !== digest.a || b !== digest.b) {
        faults.push(
          `the ${resolution} from ${nameOf(resolution, number)} should hold ${digest.n} samples but holds ${n}, or different ones`,
        );
      }
    };

    const columns = [...chunks.iterate(from, to)].map((chunk) => decodeChunk(chunk));
    const [first, end] = [bucketAt('hour', from), bucketAt('hour', to)];
    const hours = rebuildHours(columns, first, end, catalog);
    const whole = new BucketRollup();
    for (let hour = first; hour < end; hour++) {
      const rebuilt = hours.get(hour) ?? new BucketRollup();
      const expected = rebuilt.blocks();
      compare('hour', hour, expected);
      compareDigest('hour', hour, rebuilt);
      for (const block of expected) whole.addBlock(block);
      addDigest(whole.digest, rebuilt.digest);
    }
    const stored = bucket.get(RESOLUTIONS.day, day);
    if (stored === undefined || stored.stale !== null) return faults;
    compare('day', day, whole.blocks());
    compareDigest('day', day, whole);
    const exact = createExactDay(catalog);
    for (const part of columns) exact.add(part, from, to);
    compare('exact', day, exact.blocks());
    return faults;
  };
}

function nameOf(resolution: Resolution, bucket: number): string {
  return new Date(bucketStart(resolution, bucket)).toISOString();
}
