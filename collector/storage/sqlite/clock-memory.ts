import type { Database } from 'better-sqlite3';
import type { ClockRecord, ClockWatchDeps } from '../clock-watch.ts';

const NAME = 'clock';

/** What the watch of the clock knows from the database, and keeps there. */
export function clockMemory(database: Database): Pick<ClockWatchDeps, 'read' | 'write'> {
  const find = database.prepare<[string], string>('SELECT value FROM kept WHERE name = ?').pluck();
  const put = database.prepare('INSERT OR REPLACE INTO kept VALUES (?, ?)');
  return {
    read() {
      const text = find.get(NAME);
      return text === undefined ? null : (JSON.parse(text) as ClockRecord);
    },
    write: (record) => void put.run(NAME, JSON.stringify(record)),
  };
}
