import type { Database } from 'better-sqlite3';
import { type ClockRecord, type ClockWatchDeps, MAX_CLOCK_JUMP_MS } from '../clock-watch.ts';

const NAME = 'clock';

/** What the watch of the clock knows from the database, and keeps there. */
export function clockMemory(database: Database): Pick<ClockWatchDeps, 'read' | 'write' | 'agreeingSince'> {
  const find = database.prepare<[string], string>('SELECT value FROM kept WHERE name = ?').pluck();
  const put = database.prepare('INSERT OR REPLACE INTO kept VALUES (?, ?)');
  const agreeing = database
    .prepare<[number, number], number>('SELECT count(*) FROM browser WHERE last_at >= ? AND abs(clock_correction) <= ?')
    .pluck();
  return {
    read() {
      const text = find.get(NAME);
      return text === undefined ? null : (JSON.parse(text) as ClockRecord);
    },
    write: (record) => void put.run(NAME, JSON.stringify(record)),
    agreeingSince: (time) => agreeing.get(time, MAX_CLOCK_JUMP_MS) ?? 0,
  };
}
