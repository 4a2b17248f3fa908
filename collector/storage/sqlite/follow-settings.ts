import type { Database } from 'better-sqlite3';
import type { Settings } from '../../../shared/settings/settings-schema.ts';
import { validateSettings } from '../../../shared/settings/validate-settings.ts';

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
