import type { Database } from 'better-sqlite3';
import type { ControlCopy, ControlCopyData } from '../local-store.ts';
import type { StoredSettings, StoredToken } from '../store.ts';
import type { SettingsSource } from './follow-settings.ts';
import { translating } from './translate-error.ts';

const VERSION = 'shared settings version';
const DOCUMENT = 'shared settings';
const TOKENS = 'shared tokens';
export const COPY_NAMES = [VERSION, DOCUMENT, TOKENS] as const;

/** For the thread that ingests. */
export const COPIED_SETTINGS: SettingsSource = {
  version: `SELECT value FROM kept WHERE name = '${VERSION}'`,
  document: `SELECT value FROM kept WHERE name = '${DOCUMENT}'`,
};

export function createControlCopy(database: Database): ControlCopy {
  const find = database.prepare<[string], string>('SELECT value FROM kept WHERE name = ?').pluck();
  const put = database.prepare('INSERT OR REPLACE INTO kept VALUES (?, ?)');
  const remove = database.prepare('DELETE FROM kept WHERE name = ?');

  // Not without need, which a full disk would refuse.
  const keep = (name: string, value: unknown) => {
    const text = JSON.stringify(value);
    if (find.get(name) !== text) put.run(name, text);
  };
  const write = database.transaction(({ settings, tokens }: ControlCopyData) => {
    keep(TOKENS, tokens);
    if (settings === null) {
      for (const name of [VERSION, DOCUMENT]) remove.run(name);
      return;
    }
    const { document, ...version } = settings;
    keep(VERSION, version);
    keep(DOCUMENT, document);
  });

  const read = database.transaction((): ControlCopyData | null => {
    const [tokens, version, document] = [TOKENS, VERSION, DOCUMENT].map((name) => find.get(name));
    if (tokens === undefined) return null;
    const settings =
      version === undefined || document === undefined
        ? null
        : { ...(JSON.parse(version) as Omit<StoredSettings, 'document'>), document: JSON.parse(document) as unknown };
    return { settings, tokens: JSON.parse(tokens) as readonly StoredToken[] };
  });

  return {
    read: () => translating(() => read()),
    write: (data) => translating(() => write.immediate(data)),
  };
}
