import type { Database } from 'better-sqlite3';
import { type KnownBrowsers, NEWCOMER_MS } from '../ingestion.ts';

export function createKnownBrowsers(database: Database): KnownBrowsers {
  const correctionOf = database
    .prepare<[string], number>('SELECT clock_correction FROM browser WHERE client = ?')
    .pluck();
  const numberOf = database.prepare<[string], number>('SELECT id FROM client WHERE client = ?').pluck();
  return {
    clockCorrection: (client) => correctionOf.get(client) ?? null,
    isNumbered: (client) => numberOf.get(client) !== undefined,
  };
}

/** Registered newcomers per ingest key. */
export const MAX_NEWCOMERS = 20_000;
/** Browsers stop being newcomers after a day, when pruned or erased: newcomers are counted again after this, ms. */
const COUNTED_FOR_MS = 60_000;
/** A browser that is still a newcomer this long after its first contact has been silent for at least a day. */
const SILENT_AFTER_MS = 2 * NEWCOMER_MS;

/** Whether a newcomer can be registered: freely, by replacing another one, or not at all. */
export type NewcomerRoom = 'free' | 'replaced' | 'full';

/**
 * Bounds how many rows a leaked key can add to the table of browsers. Beyond the limit a newcomer replaces one that has
 * been silent for a day, or else the newest that was seen only once. Invented browsers thus displace each other, but
 * none that was seen before them or more than once.
 *
 * @returns to be called before a browser of this key is first registered
 */
export function createNewcomerLimit(
  database: Database,
  limit: number,
): (key: string, receivedAt: number) => NewcomerRoom {
  // `standing < 2` in addition to the exact values: SQLite uses the partial index only if the query contains its
  // condition.
  const count = database
    .prepare<[string], number>('SELECT count(*) FROM browser WHERE key = ? AND standing < 2')
    .pluck();
  const removeSilent = database.prepare(
    `DELETE FROM browser WHERE client = (
       SELECT client FROM browser WHERE key = ? AND standing < 2 AND standing IN (0, 1) AND first_at < ?
       ORDER BY standing, first_at LIMIT 1)`,
  );
  const removeNewest = database.prepare(
    `DELETE FROM browser WHERE client = (
       SELECT client FROM browser WHERE key = ? AND standing < 2 AND standing = 0 ORDER BY first_at DESC LIMIT 1)`,
  );
  const counts = new Map<string, { newcomers: number; at: number }>();

  return (key, receivedAt) => {
    let known = counts.get(key);
    if (known === undefined || (known.newcomers >= limit && Math.abs(receivedAt - known.at) >= COUNTED_FOR_MS)) {
      known = { newcomers: count.get(key) ?? 0, at: receivedAt };
      counts.set(key, known);
    }
    if (known.newcomers < limit) {
      known.newcomers++;
      return 'free';
    }
    const replaced =
      removeSilent.run(key, receivedAt - SILENT_AFTER_MS).changes > 0 || removeNewest.run(key).changes > 0;
    return replaced ? 'replaced' : 'full';
  };
}
