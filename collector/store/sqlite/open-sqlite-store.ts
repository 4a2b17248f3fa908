import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { retentionOf } from '../../../shared/settings/retention-of.ts';
import { currentSettings } from '../current-settings.ts';
import type { Store, StoreOptions } from '../store.ts';
import { StoreError } from '../store-error.ts';
import { startBackgroundUpkeep } from './background-upkeep.ts';
import { createInlineRunner } from './job-runner.ts';
import { migrate } from './migrations.ts';
import { lockForServer } from './server-lock.ts';
import { createKeptStore } from './sqlite-kept.ts';
import { createSampleStore } from './sqlite-samples.ts';
import { createFleetStore } from './sqlite-fleet.ts';
import { createSessionStore } from './sqlite-sessions.ts';
import { createSettingsStore } from './sqlite-settings.ts';
import { createTokenStore } from './sqlite-tokens.ts';
import { createUpkeep } from './sqlite-upkeep.ts';
import { createThreadRunner } from './thread-runner.ts';
import { translateError, translating } from './translate-error.ts';

const DATABASE_FILE = 'lastbyte.sqlite';
/** How long a writer waits for another process, such as `lastbyte token create` beside the server, ms. */
const BUSY_TIMEOUT_MS = 5000;
/**
 * Pages of 4 KB. A server's log is copied into the database by a thread, long before that; only if the thread never
 * finds a moment does the writer stop to do it.
 */
const MAX_LOG_PAGES = 65_536;
/** Ids of batches are random: the pages they go to are read again and again unless they are kept. */
const CACHE_KIB = 32_768;
/** Reading it all at the start should not take longer than a person waits. */
const MAX_CHECKED_BYTES = 2 ** 30;

/** The embedded engine: one SQLite file in `folder`. Throws a StoreError. */
export function openSqliteStore(options: StoreOptions): Store {
  const { folder, as, create = true, maxBytes = null } = options;
  const path = resolve(folder);
  if (create) makeFolder(path);
  else refuseMissing(path);
  let unlock: (() => void) | null = null;
  try {
    unlock = as === 'server' ? lockForServer(path) : null;
    const database = openDatabase(join(path, DATABASE_FILE));
    if (maxBytes !== null) limitSize(database, maxBytes);
    if (as === 'server') refuseDamaged(database);
    return storeOn(database, unlock, options);
  } catch (error) {
    unlock?.();
    throw translateError(error);
  }
}

function refuseMissing(path: string): void {
  if (existsSync(join(path, DATABASE_FILE))) return;
  throw new StoreError(
    'data_folder_unusable',
    `there are no data of a collector in ${path}`,
    'Name its folder with --data; `lastbyte serve` makes a new one.',
  );
}

/** Tokens' hashes and people's timings lie in it: for its owner alone, whatever the folder's own mode. */
function makeFolder(path: string): void {
  try {
    makeEach(path);
    // SQLite gives its other files the mode of this one.
    closeSync(openSync(join(path, DATABASE_FILE), 'a', 0o600));
  } catch (error) {
    throw new StoreError(
      'data_folder_unusable',
      `the data folder ${path} cannot be made or written`,
      'Check the permissions of its parent, or name another one with --data.',
      error,
    );
  }
}

/** mkdir's own `recursive` never ends where a parent is there and nothing can be made in it, as in /proc. */
function makeEach(path: string): void {
  if (existsSync(path)) return;
  makeEach(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

function openDatabase(file: string): Database.Database {
  const database = new Database(file, { timeout: BUSY_TIMEOUT_MS });
  try {
    // Only takes effect while the file is empty: room is given back a few pages at a time.
    database.pragma('auto_vacuum = INCREMENTAL');
    // Readers don't stop the writer; an acknowledged commit survives a power cut.
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = FULL');
    database.pragma(`wal_autocheckpoint = ${MAX_LOG_PAGES}`);
    database.pragma(`cache_size = ${-CACHE_KIB}`);
    migrate(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function limitSize(database: Database.Database, maxBytes: number): void {
  const pageSize = database.pragma('page_size', { simple: true }) as number;
  database.pragma(`max_page_count = ${Math.floor(maxBytes / pageSize)}`);
}

/** Says at the start what would otherwise fail at some query later. Large files take too long; `lastbyte check` does. */
function refuseDamaged(database: Database.Database): void {
  const pages = database.pragma('page_count', { simple: true }) as number;
  const pageSize = database.pragma('page_size', { simple: true }) as number;
  if (pages * pageSize > MAX_CHECKED_BYTES) return;
  const [first] = database.pragma('quick_check(1)') as { quick_check: string }[];
  if (first?.quick_check === 'ok') return;
  database.close();
  throw new StoreError(
    'store_corrupt',
    `the database file is damaged (${first?.quick_check.split('\n').at(-1)})`,
    'Restore a copy made by lastbyte backup: put it into an empty data folder as lastbyte.sqlite.',
  );
}

function storeOn(database: Database.Database, unlock: (() => void) | null, options: StoreOptions): Store {
  const { threadScript = null, clock = Date.now, onUpkeepError = () => {} } = options;
  const runner = () =>
    threadScript === null ? createInlineRunner(database.name) : createThreadRunner(threadScript, database.name);
  // So that nobody waits for an answer until a rollup or somebody's long question is done, nor the log for either.
  const [queries, scans, jobs, log] = [runner(), runner(), runner(), runner()];
  const upkeep = createUpkeep(database, jobs, clock);
  const settings = createSettingsStore(database);
  const retention = async () => retentionOf((await currentSettings(settings)).settings);
  // What could not be rolled up is answered from samples until it is.
  const inBackground =
    options.as === 'server'
      ? startBackgroundUpkeep(upkeep, () => log.run('checkpoint', []), retention, clock, onUpkeepError)
      : null;
  return {
    samples: createSampleStore(database, { queries, scans }, (samples) => inBackground?.appended(samples)),
    settings,
    tokens: createTokenStore(database),
    sessions: createSessionStore(database),
    fleet: createFleetStore(database),
    kept: createKeptStore(database),
    upkeep,
    async ready() {
      translating(() => database.transaction(() => {}).immediate());
    },
    async close() {
      await inBackground?.stop();
      await Promise.all([queries, scans, jobs, log].map((thread) => thread.close()));
      database.close();
      unlock?.();
    },
  };
}
