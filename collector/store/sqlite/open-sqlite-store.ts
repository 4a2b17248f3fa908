import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import Database from 'better-sqlite3';
import type { Store } from '../store.ts';
import { StoreError } from '../store-error.ts';
import { migrate } from './migrations.ts';
import { lockForServer } from './server-lock.ts';
import { createSampleStore } from './sqlite-samples.ts';
import { createSettingsStore } from './sqlite-settings.ts';
import { createTokenStore } from './sqlite-tokens.ts';
import { translateError, translating } from './translate-error.ts';

const DATABASE_FILE = 'lastbyte.sqlite';
/** How long a writer waits for another process, such as `lastbyte token create` beside the server, ms. */
const BUSY_TIMEOUT_MS = 5000;

/** The embedded engine: one SQLite file in `folder`. Throws a StoreError. */
export function openSqliteStore(folder: string, as: 'server' | 'command'): Store {
  const path = resolve(folder);
  makeFolder(path);
  let unlock: (() => void) | null = null;
  try {
    unlock = as === 'server' ? lockForServer(path) : null;
    return storeOn(openDatabase(join(path, DATABASE_FILE)), unlock);
  } catch (error) {
    unlock?.();
    throw translateError(error);
  }
}

function makeFolder(path: string): void {
  try {
    // Tokens' hashes and people's timings lie in it: for its owner alone.
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new StoreError(
      'data_folder_unusable',
      `the data folder ${path} cannot be made`,
      'Check the permissions of its parent, or name another one with --data.',
      error,
    );
  }
}

function openDatabase(file: string): Database.Database {
  const database = new Database(file, { timeout: BUSY_TIMEOUT_MS });
  try {
    // Readers don't stop the writer; an acknowledged commit survives a power cut.
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = FULL');
    migrate(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function storeOn(database: Database.Database, unlock: (() => void) | null): Store {
  return {
    samples: createSampleStore(database),
    settings: createSettingsStore(database),
    tokens: createTokenStore(database),
    async ready() {
      translating(() => database.transaction(() => {}).immediate());
    },
    async close() {
      database.close();
      unlock?.();
    },
  };
}
