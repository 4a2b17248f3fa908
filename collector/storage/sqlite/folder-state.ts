import { randomUUID } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import type { ClockWatchDeps } from '../clock-watch.ts';

/** Names in the table `kept`. */
const COLLECTOR_NAME = 'collector';
export const CLOCK_NAME = 'clock';

/** A UUID that tells this data folder from those of other collectors. */
export function collectorId(database: Database): string {
  database
    .prepare('INSERT OR IGNORE INTO kept (name, value) VALUES (?, ?)')
    .run(COLLECTOR_NAME, JSON.stringify(randomUUID()));
  const kept = database.prepare<[string], string>('SELECT value FROM kept WHERE name = ?').pluck().get(COLLECTOR_NAME);
  return JSON.parse(kept ?? 'null') as string;
}

export function clockMemory(database: Database): Pick<ClockWatchDeps, 'read' | 'write'> {
  const find = database.prepare<[string], string>('SELECT value FROM kept WHERE name = ?').pluck();
  const put = database.prepare('INSERT OR REPLACE INTO kept VALUES (?, ?)');
  return {
    read() {
      const text = find.get(CLOCK_NAME);
      return text === undefined ? null : (JSON.parse(text) as { seen: number }).seen;
    },
    write: (seen) => void put.run(CLOCK_NAME, JSON.stringify({ seen })),
  };
}
