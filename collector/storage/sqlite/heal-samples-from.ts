import type { Database } from 'better-sqlite3';
import { decodeChunk } from '../columns/decode-chunk.ts';
import { bucketStart, HOUR_MS, RESOLUTIONS } from '../rollups/resolutions.ts';
import { intact, type StoredBlob } from './intact.ts';
import { storedUntil } from './prune.ts';

/**
 * When a clock jumped ahead, earlier versions recorded that samples were removed up to a future time, so that every question
 * about the last day was refused until then. The samples really removed end with the newest hour whose rollup counts more
 * samples than are stored. Returns the time before and after; null if nothing was wrong.
 *
 * @param now epoch ms; the result is right even if this is wrong
 */
export function healSamplesFrom(database: Database, now: number): { before: number; after: number } | null {
  const state = database.prepare<[], number>('SELECT samples_from FROM state').pluck();
  const isWrong = (time: number) => time > 0 && time > Math.min(now, storedUntil(database) ?? 0);
  if (!isWrong(state.get() ?? 0)) return null;
  return database
    .transaction(() => {
      const before = state.get() ?? 0;
      const after = Math.min(before, removedUntil(database));
      if (after === before) return null;
      database.prepare('UPDATE state SET samples_from = ?, step = step + 1').run(after);
      return { before, after };
    })
    .immediate();
}

/** From this time on every sample that rollups count is stored, epoch ms. */
function removedUntil(database: Database): number {
  const hours = database.prepare<[number], { bucket: number; n: number }>(
    'SELECT bucket, n FROM bucket WHERE level = ? AND n > 0 ORDER BY bucket DESC',
  );
  const chunks = database.prepare<[number, number], StoredBlob>(
    'SELECT bytes, crc FROM chunk WHERE t1 >= ? AND t0 < ? AND id NOT IN (SELECT chunk FROM pending)',
  );
  const aside = database.prepare<[number, number]>('SELECT 1 FROM quarantine WHERE t1 >= ? AND t0 < ?');
  let first: number | null = null;
  for (const { bucket, n } of hours.all(RESOLUTIONS.hour)) {
    const from = bucketStart('hour', bucket);
    // Unreadable samples were not removed.
    let unreadable = aside.get(from, from + HOUR_MS) !== undefined;
    let stored = 0;
    for (const blob of chunks.iterate(from, from + HOUR_MS)) {
      const times = timesOf(blob);
      if (times === null) unreadable = true;
      for (const time of times ?? []) if (time >= from && time < from + HOUR_MS) stored++;
    }
    if (stored < n && !unreadable) return from + HOUR_MS;
    first = from;
  }
  return first ?? storedUntil(database) ?? 0;
}

/** null if the chunk can't be read; finalizing and `lastbyte check` report why. */
function timesOf(blob: StoredBlob): Float64Array | null {
  try {
    return decodeChunk(intact(blob, 'a chunk of samples')).at();
  } catch {
    return null;
  }
}
