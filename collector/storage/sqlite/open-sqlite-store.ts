import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Database } from 'better-sqlite3';
import { retentionOf } from '../../../shared/settings/retention-of.ts';
import { createClockWatch } from '../clock-watch.ts';
import { currentSettings } from '../current-settings.ts';
import type { Store, StoreOptions } from '../store.ts';
import { StoreError } from '../store-error.ts';
import { createInlineRunner } from '../workers/job-runner.ts';
import { createParallelRunner } from '../workers/parallel-runner.ts';
import { createThreadRunner, type ThreadOptions } from '../workers/thread-runner.ts';
import { startBackgroundMaintenance } from './background-maintenance.ts';
import { openLogCheckpoint } from './checkpoint-log.ts';
import { clockMemory } from './clock-memory.ts';
import { healSamplesFrom } from './heal-samples-from.ts';
import { migrate, needsMigration } from './migrations.ts';
import { type DatabaseLocation, openDatabase } from './open-database.ts';
import { lockForServer } from './server-lock.ts';
import { createKeyValueState } from './sqlite-kept.ts';
import { createMaintenance } from './sqlite-maintenance.ts';
import { createSampleStore } from './sqlite-samples.ts';
import { createSessionStore } from './sqlite-sessions.ts';
import { createSettingsStore } from './sqlite-settings.ts';
import { createTokenStore } from './sqlite-tokens.ts';
import { translateError, translating } from './translate-error.ts';

const DATABASE_FILE = 'lastbyte.sqlite';
/** Long questions at work at once: a page of the dashboard asks several, and each takes a core and much memory. */
const MAX_LONG_QUESTIONS = 2;
/** Of each thread that answers questions, beside the store's cells, which each of them holds. */
const QUESTION_HEAP_MB = 384;
/** Measured: 216 bytes, and as many while the table of them grows. */
const BYTES_PER_CELL = 432;
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
    const place = { file: join(path, DATABASE_FILE), maxBytes };
    const database = openMigrated(place, options.onNotice ?? (() => {}), as === 'server' ? null : path);
    if (as === 'server') {
      refuseDamaged(database);
      const healed = healSamplesFrom(database, (options.clock ?? Date.now)());
      if (healed !== null) options.onNotice?.(healedText(healed));
    }
    return storeOn(database, place, unlock, options);
  } catch (error) {
    unlock?.();
    throw translateError(error);
  }
}

function healedText({ before, after }: { before: number; after: number }): string {
  const [wrong, right] = [before, after].map((time) => new Date(time).toISOString());
  return `samples were noted as removed up to ${wrong}, left by a clock that jumped; they are there from ${right} on`;
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
    // Only if there is none: to close one that is open here would take away its locks.
    if (!existsSync(join(path, DATABASE_FILE))) closeSync(openSync(join(path, DATABASE_FILE), 'a', 0o600));
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

/** @param unlocked the folder, where this process does not hold the server's lock */
function openMigrated(place: DatabaseLocation, notice: (text: string) => void, unlocked: string | null): Database {
  const database = openDatabase(place);
  let unlock: (() => void) | null = null;
  try {
    if (unlocked !== null && needsMigration(database)) unlock = lockForMigration(unlocked);
    migrate(database, notice);
    return database;
  } catch (error) {
    database.close();
    throw error;
  } finally {
    unlock?.();
  }
}

/** A server that runs is of the version that the database is in: brought further, it could store nothing more. */
function lockForMigration(folder: string): () => void {
  try {
    return lockForServer(folder);
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'data_folder_in_use') throw error;
    throw new StoreError(
      'data_folder_in_use',
      `the data folder ${folder} was written by an older Lastbyte whose server is running`,
      'Restart the server with this version first.',
      error,
    );
  }
}

/** Says at the start what would otherwise fail at some query later. Large files take too long; `lastbyte check` does. */
function refuseDamaged(database: Database): void {
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

function storeOn(
  database: Database,
  place: DatabaseLocation,
  unlock: (() => void) | null,
  options: StoreOptions,
): Store {
  const {
    threadScript = null,
    clock = Date.now,
    onMaintenanceError: onUpkeepError = () => {},
    onNotice = () => {},
  } = options;
  const monotonic = options.monotonic ?? (() => performance.now());
  const runner = (options: ThreadOptions = {}) =>
    threadScript === null ? createInlineRunner(place) : createThreadRunner(threadScript, place, options);
  // So that nobody waits for an answer until a rollup or somebody's long question is done, nor the log for either.
  const [streams, jobs, log, writer] = [runner(), runner(), runner(), runner()];
  const countCells = database.prepare<[], number>('SELECT coalesce(max(id), 0) FROM cell').pluck();
  const heapMb = () => QUESTION_HEAP_MB + Math.ceil(((countCells.get() ?? 0) * BYTES_PER_CELL) / 2 ** 20);
  // One thread, whose line tokens wait in by turns.
  const queries = createParallelRunner([runner({ heapMb })]);
  const lanes = Math.min(MAX_LONG_QUESTIONS, availableParallelism());
  const scans = createParallelRunner(Array.from({ length: lanes }, () => runner({ lowPriority: true, heapMb })));
  const look = database.prepare('SELECT revision FROM state');
  const watch = createClockWatch({
    clock,
    monotonic,
    decides: options.as === 'server',
    notice: options.as === 'server' ? onNotice : () => {},
    ...clockMemory(database),
  });
  const upkeep = createMaintenance(database, { jobs, writer }, { clock, watch }, (error) =>
    onUpkeepError(error, 'quarantine'),
  );
  const settings = createSettingsStore(database);
  const retention = async () => retentionOf((await currentSettings(settings)).settings);
  const checkpoint = options.as === 'server' ? openLogCheckpoint(place.file, { log, writer }) : null;
  // What could not be rolled up is answered from samples until it is.
  const inBackground =
    checkpoint === null
      ? null
      : startBackgroundMaintenance(upkeep, checkpoint, retention, { clock, monotonic, watch }, onUpkeepError);
  return {
    samples: createSampleStore(
      { queries, scans, streams, writer },
      (samples) => inBackground?.appended(samples),
      watch,
    ),
    settings,
    tokens: createTokenStore(database),
    sessions: createSessionStore(database, writer),
    keyValues: createKeyValueState(database),
    maintenance: upkeep,
    clock: {
      status: async () => translating(() => watch.status()),
      confirm: async () =>
        translating(() => {
          watch.confirm();
          return watch.status();
        }),
    },
    async ready() {
      translating(() => look.get());
      await writer.run('probeWrite', []);
      // The log holds what was tried.
      inBackground?.appended(0);
    },
    async close() {
      await inBackground?.stop();
      await Promise.all([queries, scans, streams, jobs, log, writer].map((thread) => thread.close()));
      database.close();
      checkpoint?.close();
      unlock?.();
    },
  };
}
