import { randomUUID } from 'node:crypto';
import type { Database } from 'better-sqlite3';

/** Name in the table `kept`. */
const NAME = 'collector';

/** A UUID that tells this data folder from those of other collectors. */
export function collectorId(database: Database): string {
  database.prepare('INSERT OR IGNORE INTO kept (name, value) VALUES (?, ?)').run(NAME, JSON.stringify(randomUUID()));
  const kept = database.prepare<[string], string>('SELECT value FROM kept WHERE name = ?').pluck().get(NAME);
  return JSON.parse(kept ?? 'null') as string;
}
