import { openSqliteStore } from './sqlite/open-sqlite-store.ts';
import type { Store, StoreOptions } from './store.ts';

/** The only place that picks the storage engine. Throws a StoreError. */
export async function openStore(options: StoreOptions): Promise<Store> {
  return openSqliteStore(options);
}
