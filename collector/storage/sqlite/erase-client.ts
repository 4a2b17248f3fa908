import type { Database } from 'better-sqlite3';
import type { SampleColumns } from '../../../shared/sample/sample-columns.ts';
import { splitChunk } from '../columns/chunk-header.ts';
import { decodeChunk } from '../columns/decode-chunk.ts';
import { type EncodedChunk, encodeChunk } from '../columns/encode-chunk.ts';
import { mergeColumns } from '../columns/merge-columns.ts';
import type { CellCatalog } from '../rollups/cell-catalog.ts';
import { bucketAt, bucketStart } from '../rollups/resolutions.ts';
import { rebuildHours } from '../rollups/roll-up.ts';
import type { ErasedBy } from '../store.ts';
import { StoreError } from '../store-error.ts';
import { intact, type StoredBlob } from './intact.ts';
import { NO_WRITES, type StoreWrites } from './store-writes.ts';
import { translateError } from './translate-error.ts';

/**
 * Removes one day's samples of one browser or ingest key from the chunks and rebuilds the day's hours from the rest, in one
 * transaction. Samples that no rollup covers yet stay uncovered. With null for `whose` the hours are only rebuilt.
 */
export function createErasure(
  database: Database,
  catalogNow: () => CellCatalog,
): (step: number, whose: ErasedBy | null, day: number) => StoreWrites | null {
  const chunks = database.prepare<[number, number], StoredBlob & { id: number; pending: 0 | 1 }>(
    'SELECT id, bytes, crc, id IN (SELECT chunk FROM pending) AS pending FROM chunk WHERE t1 >= ? AND t0 < ?',
  );

  return (step, whose, day) => {
    const [from, to] = [bucketStart('day', day), bucketStart('day', day + 1)];
    const removedChunks: number[] = [];
    let removedSamples = 0;
    const addedChunks: EncodedChunk[] = [];
    const addedPending: EncodedChunk[] = [];
    const left: SampleColumns[] = [];
    for (const { id, pending, ...blob } of chunks.iterate(from, to)) {
      const bytes = intact(blob, 'a chunk of samples');
      const columns = decodeChunk(bytes);
      const kept = whose === null ? null : rowsKept(columns, whose, from, to);
      if (kept === null) {
        if (pending === 0) left.push(columns);
        continue;
      }
      removedChunks.push(id);
      removedSamples += columns.n - kept.length;
      if (kept.length === 0) continue;
      const rest = mergeColumns([{ columns, rows: kept }]);
      const written = encodeChunk(rest, isDeflated(bytes));
      (pending === 1 ? addedPending : addedChunks).push(written);
      if (pending === 0) left.push(decodeChunk(written.bytes));
    }
    if (removedChunks.length === 0 && whose !== null) return null;

    const [first, end] = [bucketAt('hour', from), bucketAt('hour', to)];
    const catalog = catalogNow();
    const hours = rebuildHours(left, first, end, catalog);
    const touched = Array.from({ length: end - first }, (_, i) => ({ resolution: 'hour' as const, bucket: first + i }));
    return {
      ...NO_WRITES,
      ...catalog.takeNew(),
      step,
      raisesRevision: true,
      removedChunks,
      removedSamples,
      addedChunks,
      addedPending,
      emptied: touched,
      blocks: [...hours].flatMap(([bucket, hour]) =>
        hour.blocks().map((block) => ({ resolution: 'hour' as const, bucket, ...block })),
      ),
      buckets: touched.map(({ resolution, bucket }) => ({
        resolution,
        bucket,
        ...(hours.get(bucket)?.digest ?? { n: 0, a: 0, b: 0 }),
      })),
      stale: [
        { resolution: 'day', bucket: day },
        { resolution: 'month', bucket: bucketAt('month', from) },
      ],
    };
  };
}

/** The remaining rows; null if all remain. */
function rowsKept(columns: SampleColumns, whose: ErasedBy, from: number, to: number): Int32Array | null {
  const own = columns.origins.map((origin) =>
    'key' in whose ? origin.key === whose.key : origin.client === whose.client,
  );
  if (!own.includes(true)) return null;
  const origin = columns.origin();
  const at = columns.at();
  const kept: number[] = [];
  for (let row = 0; row < columns.n; row++) {
    const time = at[row] as number;
    if (!own[origin[row] as number] || time < from || time >= to) kept.push(row);
  }
  return kept.length === columns.n ? null : Int32Array.from(kept);
}

function isDeflated(bytes: Uint8Array): boolean {
  return splitChunk(bytes).header.columns.some(([, , , deflated]) => deflated === 1);
}

/** Removes data outside chunks; false if there were none. */
export function forget(database: Database, whose: ErasedBy): boolean {
  const remove = (sql: string, id: string) => database.prepare(sql).run(id).changes > 0;
  if ('key' in whose) {
    const browsers = remove('DELETE FROM browser WHERE key = ?', whose.key);
    const turns = remove('DELETE FROM probe_turn WHERE key = ?', whose.key);
    return remove('DELETE FROM not_kept WHERE key = ?', whose.key) || turns || browsers;
  }
  // Rollups older than the samples still count this browser, but it can no longer be identified.
  const named = database
    .transaction(() => {
      database.prepare('UPDATE state SET step = step + 1').run();
      return remove('DELETE FROM client WHERE client = ?', whose.client);
    })
    .immediate();
  const browsers = remove('DELETE FROM browser WHERE client = ?', whose.client);
  return remove('DELETE FROM probe_turn WHERE client = ?', whose.client) || browsers || named;
}

/**
 * Rewrites the database file and empties its log: deleted rows otherwise stay readable in both. `secure_delete` is not enough:
 * rows move between pages, and their former places are not cleared (with it, 2 of 800 erased ids were still in a file).
 */
export function removeRemnants(database: Database): void {
  try {
    database.exec('VACUUM');
    const [log] = database.pragma('wal_checkpoint(TRUNCATE)') as { readonly busy: number }[];
    if (log?.busy === 0) return;
  } catch (error) {
    const { code } = translateError(error);
    if (code === 'store_full') {
      throw new StoreError(
        code,
        'everything was erased, but there is no space to rewrite the database, which still contains remnants',
        'Free as much space as the database takes, on its disk and for temporary files (SQLITE_TMPDIR); then erase again.',
        error,
      );
    }
    if (code !== 'store_busy') throw error;
  }
  throw new StoreError(
    'store_busy',
    'everything was erased, but other processes use the database, so that it and its log still contain remnants',
    'Erase again once backups and long queries have ended.',
  );
}
