import type { Database } from 'better-sqlite3';
import type { SettingsStore, StoredSettings } from '../store.ts';
import { translating } from './translate-error.ts';

interface Row {
  readonly revision: number;
  readonly at: number;
  readonly document: string;
}

export function createSettingsStore(database: Database): SettingsStore {
  const newest = database.prepare<[], Row>(
    'SELECT revision, at, document FROM settings ORDER BY revision DESC LIMIT 1',
  );
  const insert = database.prepare('INSERT INTO settings (revision, at, document) VALUES (?, ?, ?)');

  const write = database.transaction((document: string, expected: number | null, at: number): number | null => {
    const current = newest.get()?.revision ?? null;
    if (current !== expected) return null;
    const revision = (current ?? 0) + 1;
    insert.run(revision, at, document);
    return revision;
  });

  return {
    async read(): Promise<StoredSettings | null> {
      const row = translating(() => newest.get());
      return row === undefined ? null : { ...row, document: JSON.parse(row.document) as unknown };
    },
    async write(document, expected, at) {
      const revision = translating(() => write.immediate(JSON.stringify(document), expected, at));
      return revision === null ? null : { revision, at, document };
    },
  };
}
