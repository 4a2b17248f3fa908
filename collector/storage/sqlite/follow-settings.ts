import type { Database } from 'better-sqlite3';
import type { Settings } from '../../../shared/settings/settings-schema.ts';
import { validateSettings } from '../../../shared/settings/validate-settings.ts';

/**
 * Returns the settings in force, the same object until they change; null if there are none. Whatever writes settings, here
 * or in another process, the database has them: asking costs one look at a primary key. Settings that this version can't
 * read change nothing; everything else reports them.
 */
export function followSettings(database: Database): () => Settings | null {
  const newest = database.prepare<[], number | null>('SELECT max(revision) FROM settings').pluck();
  const read = database.prepare<[number], string>('SELECT document FROM settings WHERE revision = ?').pluck();
  let known: number | null = null;
  let settings: Settings | null = null;

  return () => {
    const revision = newest.get() ?? null;
    if (revision === known) return settings;
    known = revision;
    const document = revision === null ? undefined : read.get(revision);
    if (document === undefined) {
      settings = null;
    } else {
      const verdict = validateSettings(JSON.parse(document));
      if (verdict.ok) settings = verdict.settings;
    }
    return settings;
  };
}
