import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import type { Database } from 'better-sqlite3';
import { readRetention } from '../../../shared/settings/read-retention.ts';
import { createWorkerPool, type JobRunner } from '../../lib/worker-pool.ts';
import type { BatchClaims } from '../batch-claims.ts';
import { createRemoteMaintenance } from '../clickhouse/remote-maintenance.ts';
import { createClockWatch } from '../clock-watch.ts';
import { currentSettings } from '../current-settings.ts';
import type { ControlCopy, ControlCopyData, LocalStore } from '../local-store.ts';
import type { QuestionJobs } from '../passes/question-jobs.ts';
import type { StoreOptions } from '../store.ts';
import { StoreError } from '../store-error.ts';
import { FORWARDING, ROLLING_UP, startBackgroundMaintenance } from './background-maintenance.ts';
import { openLogCheckpoint } from './checkpoint-log.ts';
import { createControlCopy } from './control-copy.ts';
import { DATABASE_FILE, lockForServer, makeFolder, openMigrated, refuseDamaged, refuseMissing } from './data-folder.ts';
import { clockMemory, collectorId } from './folder-state.ts';
import { removeCopied } from './migration.ts';
import type { DatabaseLocation } from './open-database.ts';
import type { ScanJobs } from './scan-columns.ts';
import { createOwnControl, readOwnControl } from './sqlite-control.ts';
import { createMaintenance } from './sqlite-maintenance.ts';
import { createSampleStore } from './sqlite-samples.ts';
import { inlineStoreRunner, threadStoreRunner } from './store-thread.ts';
import { translateError, translating } from './translate-error.ts';
import { whereSamplesAre } from './where-samples-are.ts';

/** Long questions that run at once: a page of the dashboard asks several, and each takes a core and much memory. */
const MAX_LONG_QUESTIONS = 2;
/** Heap of each thread that answers questions, apart from the store's cells, which each of them holds. */
const QUESTION_HEAP_MB = 384;
/** Measured: 216 bytes, and as much again while the table of cells grows. */
const BYTES_PER_CELL = 432;
/**
 * A stop waits this long for ClickHouse to accept a block. Cut off, it is sent again after the next start, as after a crash.
 * Service managers kill after 10 s or more.
 */
const FORWARD_GRACE_MS = 3_000;
/** Waiting questions of one token: a page of the dashboard asks a dozen. */
export const MAX_WAITING_PER_TOKEN = 50;
/** How questions wait for their threads. */
export const QUEUE = {
  maxWaiting: MAX_WAITING_PER_TOKEN,
  busy: () =>
    new StoreError(
      'store_busy',
      `${MAX_WAITING_PER_TOKEN} queries with this token are already waiting`,
      'Wait for their responses before sending more, or cancel some by closing their connections.',
    ),
  closed: () => new StoreError('store_failed', 'the store was closed', 'Try again once the server is running.'),
};

/** The embedded engine: one SQLite file in `folder`. Throws a StoreError. */
export function openSqliteStore(options: StoreOptions): LocalStore {
  const { folder, as, create = true, maxBytes = null } = options;
  const path = resolve(folder);
  if (create) makeFolder(path);
  else refuseMissing(path);
  let unlock: (() => void) | null = null;
  try {
    unlock = as === 'server' ? lockForServer(path) : null;
    const own = { file: join(path, DATABASE_FILE), maxBytes, sharedControl: options.control !== undefined };
    const database = openMigrated(own, options.onNotice ?? (() => {}), as === 'server' ? null : path);
    const location = { ...own, clickHouse: whereSamplesAre(database, options) };
    removeCopied(database);
    if (as === 'server') refuseDamaged(database);
    return storeOn(database, location, unlock, options);
  } catch (error) {
    unlock?.();
    throw translateError(error);
  }
}

function storeOn(
  database: Database,
  location: DatabaseLocation,
  unlock: (() => void) | null,
  options: StoreOptions,
): LocalStore {
  const { as, threadScript = null, clock = Date.now, onMaintenanceError = () => {}, onNotice = () => {} } = options;
  const monotonic = options.monotonic ?? (() => performance.now());
  const runner = <W extends 'reader' | 'scanner' | 'writer' | 'remote'>(
    work: W,
    limits: Parameters<typeof threadStoreRunner>[3] = {},
  ) =>
    threadScript === null ? inlineStoreRunner(location, work) : threadStoreRunner(threadScript, location, work, limits);
  // Separate threads, so that no answer waits for a rollup, a checkpoint of the log or a long question.
  let claims: BatchClaims | null = null;
  const isRemote = location.clickHouse !== null && location.clickHouse !== undefined;
  const [jobs, log, writer] = [runner('reader'), runner('reader'), runner('writer')];
  const streams: JobRunner<ScanJobs> = isRemote ? runner('remote') : runner('scanner');
  const questions = (limits: Parameters<typeof threadStoreRunner>[3]): JobRunner<QuestionJobs> =>
    isRemote ? runner('remote', limits) : runner('reader', limits);
  const forwarder = isRemote ? runner('remote') : null;
  const countCells = database.prepare<[], number>('SELECT coalesce(max(id), 0) FROM cell').pluck();
  const heapMb = () => QUESTION_HEAP_MB + Math.ceil(((countCells.get() ?? 0) * BYTES_PER_CELL) / 2 ** 20);
  const queries = createWorkerPool([questions({ heapMb })], QUEUE);
  const lanes = Math.min(MAX_LONG_QUESTIONS, availableParallelism());
  const longRunners = Array.from({ length: lanes }, () => questions({ lowPriority: true, heapMb }));
  const scans = createWorkerPool(longRunners, QUEUE);
  const look = database.prepare('SELECT revision FROM state');
  const watch = createClockWatch({
    clock,
    monotonic,
    notice: as === 'server' ? onNotice : () => {},
    ...clockMemory(database),
  });
  const local = createMaintenance(database, { jobs, writer }, { clock, watch }, (error) =>
    onMaintenanceError(error, 'quarantine'),
  );
  const maintenance =
    forwarder === null
      ? local
      : createRemoteMaintenance({
          database,
          local,
          jobs,
          remote: forwarder,
          writer,
          clock,
          watch,
          claims: location.sharedControl === true ? () => claims : null,
          tell: (error) => onMaintenanceError(error, 'quarantine'),
        });
  const control = createOwnControl(database, (...change) => writer.run('changeSessions', change));
  const controlCopy = createControlCopy(database);
  const inForce = location.sharedControl ? { read: async () => followed(controlCopy).settings } : control.settings;
  const retention = async () => readRetention((await currentSettings(inForce)).settings);
  const checkpoint = as === 'server' ? openLogCheckpoint(location.file, { log, writer }) : null;
  // Samples that are not rolled up yet are read one by one.
  const background =
    checkpoint === null
      ? null
      : startBackgroundMaintenance(
          maintenance,
          checkpoint,
          retention,
          { clock, monotonic, watch },
          onMaintenanceError,
          isRemote ? FORWARDING : ROLLING_UP,
        );
  return {
    samples: createSampleStore({ queries, scans, streams, writer }, (samples) => background?.appended(samples), watch),
    ...control,
    leadership: { lead: (work) => work(control.keyValues) },
    controlStatus: () => null,
    controlCopy,
    claimWith(open) {
      claims = isRemote ? open(collectorId(database)) : null;
    },
    readOwnControl: () => readOwnControl(database),
    maintenance,
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
      // The log now holds the probe.
      background?.appended(0);
    },
    async close() {
      const cut = setInterval(() => void forwarder?.close(), FORWARD_GRACE_MS);
      await background?.stop();
      clearInterval(cut);
      await Promise.all([queries, scans, streams, jobs, log, writer, forwarder].map((thread) => thread?.close()));
      database.close();
      checkpoint?.close();
      unlock?.();
    },
  };
}

/** Without shared settings, those of a collector on its own would be in force, which may keep less. Throws a StoreError. */
function followed(copy: ControlCopy): ControlCopyData {
  const known = copy.read();
  if (known !== null) return known;
  throw new StoreError(
    'control_unreachable',
    'the control database has not been reached yet, so how long data are kept is not known',
    'Check that PostgreSQL runs and can be reached from here. Nothing is removed meanwhile.',
  );
}
