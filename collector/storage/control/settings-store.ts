import type { SettingsRevision, SettingsStore, StoredSettings } from '../store.ts';
import type { ControlDatabase } from './control-database.ts';

export function createSettingsStore({ schema, query }: ControlDatabase): SettingsStore {
  const newest = `SELECT revision, at FROM ${schema}.settings ORDER BY revision DESC LIMIT 1`;
  const one = `SELECT revision, at, document FROM ${schema}.settings WHERE revision = @revision`;
  const all = `SELECT revision, at, author FROM ${schema}.settings ORDER BY revision DESC LIMIT @limit`;
  // If two writers saw the same newest revision, the second waits for the first and then conflicts with it.
  const insert = `
    INSERT INTO ${schema}.settings (revision, at, document, author)
    SELECT coalesce(@expected, 0) + 1, CAST(@at AS bigint), CAST(@text AS text), CAST(@author AS text)
    WHERE (SELECT max(revision) FROM ${schema}.settings) IS NOT DISTINCT FROM CAST(@expected AS integer)
    ON CONFLICT (revision) DO NOTHING RETURNING revision`;
  /** Every poll of every browser reads them; a document may be hundreds of kilobytes long. */
  let known: StoredSettings | null = null;

  async function readRevision(revision: number): Promise<StoredSettings | null> {
    const [row] = await query<{ revision: number; at: number; document: string }>(one, { revision });
    return row === undefined ? null : { ...row, document: JSON.parse(row.document, wellFormed) as unknown };
  }

  return {
    async read() {
      const [current] = await query<Omit<StoredSettings, 'document'>>(newest);
      if (current?.revision !== known?.revision || current?.at !== known?.at) {
        known = current === undefined ? null : await readRevision(current.revision);
      }
      return known;
    },
    async write(document, expected, at, author = '') {
      const [written] = await query<{ revision: number }>(insert, {
        expected,
        at,
        text: JSON.stringify(document),
        author,
      });
      return written === undefined ? null : { ...written, at, document };
    },
    history: (limit) => query<SettingsRevision>(all, { limit }),
    readRevision,
  };
}

/** Older versions accepted lone surrogates; settings in force must not become invalid because of that. */
function wellFormed(_name: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed() : value;
}
