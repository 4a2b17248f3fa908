import type { FolderMigration, MigratedFolder } from './clickhouse/migrate-folder.ts';
import { openSqliteStore } from './sqlite/open-sqlite-store.ts';
import { serveStoreJobs } from './sqlite/store-thread.ts';
import type { ClickHouseAddress, Store, StoreOptions } from './store.ts';

// The only file that picks the storage engine.

/** Throws a StoreError. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const store = openSqliteStore(options);
  if (options.control === undefined) return store;
  try {
    // Imported here, because a collector on its own needs none of it.
    const { shareControl } = await import('./postgres/share-control.ts');
    return await shareControl(store, options.control, options);
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Runs the jobs of a store in this thread. */
export const runStoreThread = serveStoreJobs;
export { parseClickHouseAddress } from './clickhouse/clickhouse-address.ts';
export { type FolderContents, inspectFolder } from './sqlite/inspect-folder.ts';

/** Rejects unless ClickHouse, or the database of control data, answers. Throws a StoreError. @param patience ms */
export async function reachStore(address: ClickHouseAddress | string, patience: number): Promise<null> {
  if (typeof address === 'string') {
    const { openConnectionPool } = await import('./postgres/connection-pool.ts');
    const { parseControlAddress } = await import('./postgres/control-address.ts');
    const pool = openConnectionPool(parseControlAddress(address));
    await pool.query('SELECT 1').finally(pool.close);
  } else {
    const { openClickHouse } = await import('./clickhouse/open-clickhouse.ts');
    const late = AbortSignal.timeout(patience);
    const server = openClickHouse(address, () => late.throwIfAborted());
    await server.select('SELECT 1 AS one').finally(server.close);
  }
  return null;
}

/** Copies the samples of a data folder to ClickHouse. Throws a StoreError. */
export async function migrateSamples(migration: FolderMigration): Promise<MigratedFolder> {
  const { migrateFolder } = await import('./clickhouse/migrate-folder.ts');
  return migrateFolder(migration);
}
