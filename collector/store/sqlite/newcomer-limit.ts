import type { Database } from 'better-sqlite3';

/** Browsers first heard of less than a day ago that are listed, per ingest key. */
const MAX_NEWCOMERS = 20_000;
/** Newcomers leave this number by being heard a day later, by pruning and by erasure: it is counted again after this long, ms. */
const COUNTED_FOR_MS = 60_000;

/**
 * Bounds how many rows a leaked key can add to the table of browsers. Beyond the limit the newcomer that was heard of least
 * and longest ago makes room; an honest one is listed again with its next batch.
 *
 * @returns called before a browser of this key is first listed; true if another one was removed for it
 */
export function createNewcomerLimit(
  database: Database,
  limit = MAX_NEWCOMERS,
): (key: string, receivedAt: number) => boolean {
  const count = database
    .prepare<[string], number>('SELECT count(*) FROM browser WHERE key = ? AND standing < 2')
    .pluck();
  const remove = database.prepare(
    `DELETE FROM browser WHERE client = (
       SELECT client FROM browser WHERE key = ? AND standing < 2 ORDER BY standing, first_at LIMIT 1)`,
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
      return false;
    }
    return remove.run(key).changes > 0;
  };
}
