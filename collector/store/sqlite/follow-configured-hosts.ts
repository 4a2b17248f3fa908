import type { Database } from 'better-sqlite3';
import { validateSettings } from '../../../shared/settings/validate-settings.ts';
import { configuredHosts } from '../../ingest/configured-hosts.ts';

interface Row {
  readonly revision: number;
  readonly document: string;
}

/**
 * Returns the hosts by target that the settings name, if these have changed since the last call, else null. Whatever writes
 * settings, here or in another process, the database has them: one look at a primary key for each group of batches.
 * Settings that this version can't read change nothing; everything else reports them.
 */
export function followConfiguredHosts(database: Database): () => ReadonlyMap<string, ReadonlySet<string>> | null {
  const newest = database.prepare<[], number | null>('SELECT max(revision) FROM settings').pluck();
  const read = database.prepare<[number], Row>('SELECT revision, document FROM settings WHERE revision = ?');
  let known: number | null = null;

  return () => {
    const revision = newest.get() ?? null;
    if (revision === known) return null;
    known = revision;
    const row = revision === null ? undefined : read.get(revision);
    if (row === undefined) return new Map();
    const verdict = validateSettings(JSON.parse(row.document));
    return verdict.ok ? configuredHosts(verdict.settings) : null;
  };
}
