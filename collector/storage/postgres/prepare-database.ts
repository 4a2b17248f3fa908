import { CONTROL_TABLES, type OwnControl } from '../local-store.ts';
import { StoreError } from '../store-error.ts';
import { LOCKS } from './advisory-locks.ts';
import type { Connections, RunQuery } from './connection-pool.ts';
import { FOUNDATION, STEPS } from './migrations.ts';

/** `copied` from the data folder, or what that has is ignored, because the database has its own. */
export type Prepared = 'ready' | 'copied' | 'own_ignored';

/**
 * Migrates the control database, one collector at a time. One without settings and tokens gets those of the data folder of
 * the collector that comes first, with everything else that was kept there.
 * @param own reads the data folder's control data; null if it has none
 */
export async function prepareDatabase(database: Connections, own: () => OwnControl | null): Promise<Prepared> {
  if ((await versionOf(database.query)) !== STEPS.length) await database.transaction(migrate);
  const rows = own();
  if (rows === null) return 'ready';
  return database.transaction(async (query) => {
    await query(LOCKS.prepare);
    const found = 'SELECT EXISTS (SELECT FROM lastbyte.settings) OR EXISTS (SELECT FROM lastbyte.token) AS used';
    const [state] = await query<{ used: boolean }>(found);
    if (state?.used) return 'own_ignored';
    for (const table of CONTROL_TABLES) {
      // The table's name comes from a constant; the rows are bound.
      const into = `INSERT INTO lastbyte.${table} SELECT * FROM json_populate_recordset(NULL::lastbyte.${table}, $1)`;
      await query(into, [JSON.stringify(rows[table], storable)]);
    }
    return 'copied';
  });
}

/** Throws a StoreError unless the database is as this version left it. */
export async function expectPrepared({ query }: Connections): Promise<void> {
  if ((await versionOf(query)) === STEPS.length) return;
  throw new StoreError(
    'control_refused',
    'the control database is not the one that was followed so far',
    'Restore it, or migrate it by restarting this collector, updated if another one was.',
  );
}

async function migrate(query: RunQuery): Promise<void> {
  await query(LOCKS.prepare);
  await query(FOUNDATION);
  const version = await versionOf(query);
  if (version > STEPS.length) {
    throw new StoreError(
      'store_too_new',
      `the control database was written by a newer Lastbyte (version ${version}, this one knows ${STEPS.length})`,
      'Update this collector.',
    );
  }
  for (const step of STEPS.slice(version)) await query(step);
  await query('DELETE FROM lastbyte.version');
  await query('INSERT INTO lastbyte.version VALUES ($1)', [STEPS.length]);
}

/** 0 before the first migration. */
async function versionOf(query: RunQuery): Promise<number> {
  const [table] = await query<{ exists: boolean }>("SELECT to_regclass('lastbyte.version') IS NOT NULL AS exists");
  if (!table?.exists) return 0;
  const [row] = await query<{ version: number }>('SELECT version FROM lastbyte.version');
  return row?.version ?? 0;
}

/** PostgreSQL has no text with U+0000; SQLite has. */
function storable(_name: string, value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value;
}
