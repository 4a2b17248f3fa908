import type { Database } from 'better-sqlite3';
import type { Settings } from '../../../shared/settings/settings-schema.ts';
import { validateSettings } from '../../../shared/settings/validate-settings.ts';
import type { SettingsRevision, SettingsStore, StoredSettings } from '../store.ts';
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
  const insert = database.prepare('INSERT INTO settings (revision, at, document, author) VALUES (?, ?, ?, ?)');
  const one = database.prepare<[number], Row>('SELECT revision, at, document FROM settings WHERE revision = ?');
  const all = database.prepare<[number], SettingsRevision>(
    'SELECT revision, at, author FROM settings ORDER BY revision DESC LIMIT ?',
  );

  const write = database.transaction(
    (document: string, expected: number | null, at: number, author: string): number | null => {
      const current = newest.get()?.revision ?? null;
      if (current !== expected) return null;
      const revision = (current ?? 0) + 1;
      insert.run(revision, at, document, author);
      return revision;
    },
  );

  const newestRevision = database.prepare<[], number | null>('SELECT max(revision) FROM settings').pluck();
  /** Every poll of every browser reads them; a document may be hundreds of kilobytes long. */
  let known: StoredSettings | null = null;

  return {
    async read(): Promise<StoredSettings | null> {
      return translating(() => {
        const revision = newestRevision.get() ?? null;
        if (revision !== (known?.revision ?? null)) known = parsed(newest.get());
        return known;
      });
    },
    async write(document, expected, at, author = '') {
      const revision = translating(() => write.immediate(JSON.stringify(document), expected, at, author));
      return revision === null ? null : { revision, at, document };
    },
    async history(limit) {
      return translating(() => all.all(limit));
    },
    async readRevision(revision) {
      return parsed(translating(() => one.get(revision)));
    },
  };
}

function parsed(row: Row | undefined): StoredSettings | null {
  return row === undefined ? null : { ...row, document: JSON.parse(row.document, wellFormed) as unknown };
}

/** Older versions accepted lone surrogates; settings in force must not become invalid because of that. */
function wellFormed(_name: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed() : value;
}

/**
 * Returns the settings in force, the same object until they change; null if there are none. Reads the database, since any
 * process may have written them: one primary-key lookup. Settings that this version can't read are ignored here; everything
 * else reports them.
 */
export function followSettings(database: Database, source: SettingsSource): () => Settings | null {
  const version = database.prepare<[], number | string | null>(source.version).pluck();
  const read = database.prepare<[], string>(source.document).pluck();
  let known: number | string | null = null;
  let settings: Settings | null = null;

  return () => {
    const newest = version.get() ?? null;
    if (newest === known) return settings;
    known = newest;
    const document = newest === null ? undefined : read.get();
    if (document === undefined) {
      settings = null;
    } else {
      const verdict = validateSettings(JSON.parse(document));
      if (verdict.ok) settings = verdict.settings;
    }
    return settings;
  };
}

/** Where the settings in force are. Both are SQL: of something that differs between revisions, and of the newest document. */
export interface SettingsSource {
  readonly version: string;
  readonly document: string;
}

export const OWN_SETTINGS: SettingsSource = {
  version: 'SELECT max(revision) FROM settings',
  document: 'SELECT document FROM settings ORDER BY revision DESC LIMIT 1',
};
