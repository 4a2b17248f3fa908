import type { Database } from 'better-sqlite3';
import type { ClockWatchDeps } from '../clock-watch.ts';
import type { KeyValueState } from '../store.ts';
import { translating } from './translate-error.ts';

export function createKeyValueState(database: Database): KeyValueState {
  const find = database.prepare<[string], string>('SELECT value FROM kept WHERE name = ?').pluck();
  const put = database.prepare('INSERT OR REPLACE INTO kept VALUES (?, ?)');
  const valueNamed = (name: string): unknown => {
    const text = find.get(name);
    return text === undefined ? null : JSON.parse(text);
  };
  const update = database.transaction((name: string, change: (value: unknown) => unknown) => {
    put.run(name, JSON.stringify(change(valueNamed(name))));
  });
  return {
    async read(name) {
      return translating(() => valueNamed(name));
    },
    async write(name, value) {
      translating(() => put.run(name, JSON.stringify(value)));
    },
    async update(name, change) {
      translating(() => update.immediate(name, change));
    },
  };
}

export const CLOCK_NAME = 'clock';

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
