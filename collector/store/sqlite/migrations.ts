import type { Database } from 'better-sqlite3';
import { StoreError } from '../store-error.ts';

/**
 * Step i brings a database from version i to i + 1 (`PRAGMA user_version`). A step that was released is never
 * changed; a new one is added below it.
 */
const STEPS: readonly string[] = [
  `
  -- Idempotence, and which data an answer was made from. t0 and t1: first and last sample, null without any.
  CREATE TABLE batch (
    id TEXT PRIMARY KEY,
    received_at INTEGER NOT NULL,
    clock_correction INTEGER NOT NULL,
    n INTEGER NOT NULL,
    t0 INTEGER,
    t1 INTEGER
  ) WITHOUT ROWID;
  CREATE INDEX batch_time ON batch (t0, t1);

  -- One row per group commit: all its samples, column by column.
  CREATE TABLE chunk (
    id INTEGER PRIMARY KEY,
    t0 INTEGER NOT NULL,
    t1 INTEGER NOT NULL,
    n INTEGER NOT NULL,
    blob BLOB NOT NULL
  );
  CREATE INDEX chunk_time ON chunk (t0, t1);

  CREATE TABLE settings (
    revision INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    document TEXT NOT NULL
  );

  CREATE TABLE token (
    id TEXT PRIMARY KEY,
    role TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    label TEXT NOT NULL
  ) WITHOUT ROWID;
  `,
];

/** Brings the database up to date in one transaction. Several processes may do it at once. Throws a StoreError. */
export function migrate(database: Database): void {
  if (versionOf(database) === STEPS.length) return;
  database
    .transaction(() => {
      const version = versionOf(database);
      if (version > STEPS.length) {
        throw new StoreError(
          'store_too_new',
          `the data folder was written by a newer Lastbyte (version ${version}, this one knows ${STEPS.length})`,
          'Use the newer Lastbyte, or another data folder.',
        );
      }
      for (const step of STEPS.slice(version)) database.exec(step);
      database.pragma(`user_version = ${STEPS.length}`);
    })
    .immediate();
}

function versionOf(database: Database): number {
  return database.pragma('user_version', { simple: true }) as number;
}
