import { openSqliteStore } from './sqlite/open-sqlite-store.ts';
import type { Store } from './store.ts';

export interface StoreOptions {
  /** The data folder; made where it is missing. */
  readonly folder: string;
  /** `server` holds the folder for itself among servers; `command` works beside a running server. */
  readonly as: 'server' | 'command';
}

/** The only place that picks the storage engine. Throws a StoreError. */
export async function openStore(options: StoreOptions): Promise<Store> {
  return openSqliteStore(options.folder, options.as);
}
