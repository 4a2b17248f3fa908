import { openSqliteStore } from './sqlite/open-sqlite-store.ts';
import { serveStoreJobs } from './sqlite/store-thread.ts';
import type { Store, StoreOptions } from './store.ts';

// The only file that picks the storage engine.

/** Throws a StoreError. */
export async function openStore(options: StoreOptions): Promise<Store> {
  return openSqliteStore(options);
}

/** Runs the jobs of a store in this thread. */
export const runStoreThread = serveStoreJobs;
export { parseClickHouseAddress } from './clickhouse/clickhouse-address.ts';
