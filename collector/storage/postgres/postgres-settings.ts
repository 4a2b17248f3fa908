import type { SettingsRevision, SettingsStore, StoredSettings } from '../store.ts';
import type { RunQuery } from './connection-pool.ts';

type Row = Omit<StoredSettings, 'document'> & { readonly document: string };

export function createSettingsStore(query: RunQuery): SettingsStore {
  let known: StoredSettings | null = null;
  return {
    async read() {
      const rows = await query<Row>(
        'SELECT revision, at, document FROM lastbyte.settings ORDER BY revision DESC LIMIT 1',
      );
      const newest = parsed(rows);
      if (newest?.revision !== known?.revision || newest?.at !== known?.at) known = newest;
      return known;
    },
    async write(document, expected, at, author = '') {
      // Of two writers that saw the same newest revision, the second waits for the first and then conflicts with it.
      const [written] = await query(
        `INSERT INTO lastbyte.settings (revision, at, document, author)
         SELECT coalesce($1, 0) + 1, $2::bigint, $3::text, $4::text
         WHERE (SELECT max(revision) FROM lastbyte.settings) IS NOT DISTINCT FROM $1::integer
         ON CONFLICT (revision) DO NOTHING RETURNING revision`,
        [expected, at, JSON.stringify(document), author],
      );
      return written === undefined ? null : { revision: (expected ?? 0) + 1, at, document };
    },
    history: (limit) =>
      query<SettingsRevision>('SELECT revision, at, author FROM lastbyte.settings ORDER BY revision DESC LIMIT $1', [
        limit,
      ]),
    async readRevision(revision) {
      const sql = 'SELECT revision, at, document FROM lastbyte.settings WHERE revision = $1';
      return parsed(await query<Row>(sql, [revision]));
    },
  };
}

function parsed([row]: readonly Row[]): StoredSettings | null {
  return row === undefined ? null : { ...row, document: JSON.parse(row.document) as unknown };
}
