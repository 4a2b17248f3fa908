import type { FolderMigration, MigratedFolder } from './clickhouse/migrate-folder.ts';
import { openSqliteStore } from './sqlite/open-sqlite-store.ts';
import { serveStoreJobs } from './sqlite/store-thread.ts';
import type { Store, StoreOptions } from './store.ts';

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

/** Copies the samples of a data folder to ClickHouse. Throws a StoreError. */
export async function migrateSamples(migration: FolderMigration): Promise<MigratedFolder> {
  const { migrateFolder } = await import('./clickhouse/migrate-folder.ts');
  return migrateFolder(migration);
}
