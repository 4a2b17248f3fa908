import type { Database } from 'better-sqlite3';
import { VERSION } from '../../lib/version.ts';
import { StoreError } from '../store-error.ts';
import { copyBeforeMigration, migrationCopies } from './copy-database.ts';

/** Name in the table `kept`: the Lastbyte that made the tables what they are. Later versions keep it there for earlier ones. */
const MIGRATED_BY = 'migratedBy';

/** Step i leads from version i to i + 1 (`PRAGMA user_version`). Released steps never change; new ones are appended. */
export const STEPS: readonly string[] = [
  `
  -- Idempotence. Ids are forgotten once samples that old would be refused anyway.
  CREATE TABLE batch (
    id BLOB PRIMARY KEY,
    received_at INTEGER NOT NULL,
    clock_correction INTEGER NOT NULL
  ) WITHOUT ROWID;

  -- Samples, column by column: one row per group commit, later merged. Immutable; ids are never used again.
  CREATE TABLE chunk (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    t0 INTEGER NOT NULL,
    t1 INTEGER NOT NULL,
    n INTEGER NOT NULL,
    bytes BLOB NOT NULL
  );
  CREATE INDEX chunk_time ON chunk (t0, t1, n);
  -- Chunks that no rollup covers yet. Leaving this list and entering the packs is one transaction.
  CREATE TABLE pending (chunk INTEGER PRIMARY KEY);

  -- The numbers that packs use for words and cells.
  CREATE TABLE word (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, text TEXT NOT NULL, UNIQUE (kind, text));
  -- Ids of words, 0 where the cell has none.
  CREATE TABLE cell (
    id INTEGER PRIMARY KEY,
    host INTEGER NOT NULL,
    type INTEGER NOT NULL,
    connection INTEGER NOT NULL,
    protocol INTEGER NOT NULL,
    scheme INTEGER NOT NULL,
    handshake INTEGER NOT NULL,
    source INTEGER NOT NULL,
    site INTEGER NOT NULL,
    target INTEGER NOT NULL
  );

  -- Rollups: one blob holds all cells of one measure in one bucket. Levels and measures: store/rollup.
  CREATE TABLE pack (
    level INTEGER NOT NULL,
    measure INTEGER NOT NULL,
    bucket INTEGER NOT NULL,
    bytes BLOB NOT NULL,
    UNIQUE (level, measure, bucket)
  );
  -- Buckets that have packs, how many samples are in them and the sum of their hashes. A day or month that got
  -- samples since its packs were made is stale since then (epoch ms), and not read until it is made again.
  CREATE TABLE bucket (
    level INTEGER NOT NULL,
    bucket INTEGER NOT NULL,
    n INTEGER NOT NULL,
    a INTEGER NOT NULL,
    b INTEGER NOT NULL,
    stale_since INTEGER,
    PRIMARY KEY (level, bucket)
  ) WITHOUT ROWID;

  -- One row. revision: raised by whatever rewrites chunks or packs, so that a rollup computed from what was before is
  -- thrown away. samples_from: samples before this time (epoch ms) were pruned.
  CREATE TABLE state (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    revision INTEGER NOT NULL,
    samples_from INTEGER NOT NULL
  );
  INSERT INTO state VALUES (1, 0, 0);

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
  `
  -- Who wrote a revision: the label of a token, or a command. Empty for what was written before this was kept.
  ALTER TABLE settings ADD COLUMN author TEXT NOT NULL DEFAULT '';

  -- Who is signed in with a browser: SHA-256 of the cookie's id, and of the token it was opened with.
  CREATE TABLE session (hash TEXT PRIMARY KEY, token_hash TEXT NOT NULL, until INTEGER NOT NULL) WITHOUT ROWID;

  -- What each browser last said of itself. status: JSON, empty where it said nothing.
  CREATE TABLE browser (
    client TEXT PRIMARY KEY,
    site TEXT NOT NULL,
    browser TEXT NOT NULL,
    browser_version TEXT NOT NULL,
    extension_version TEXT NOT NULL,
    first_at INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    clock_correction INTEGER NOT NULL,
    status TEXT NOT NULL
  ) WITHOUT ROWID;

  -- What became of each turn of each browser's probes: JSON.
  CREATE TABLE probe_turn (
    at INTEGER NOT NULL,
    client TEXT NOT NULL,
    probe TEXT NOT NULL,
    site TEXT NOT NULL,
    turn TEXT NOT NULL,
    PRIMARY KEY (at, client, probe)
  ) WITHOUT ROWID;
  `,
  `
  -- Small states of work in the background, JSON by name: alerts.
  CREATE TABLE kept (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  `,
  `
  -- CRC-32 of the bytes, so that a disk that gives back something else is seen. NULL for what was written before.
  ALTER TABLE pack ADD COLUMN crc INTEGER;
  ALTER TABLE chunk ADD COLUMN crc INTEGER;
  `,
  `
  -- Raised whenever chunks or packs are rewritten, rollups included: what another process computed from what was before
  -- is thrown away. revision is from here on raised only where something that was there is gone.
  ALTER TABLE state ADD COLUMN step INTEGER NOT NULL DEFAULT 0;
  `,
  `
  -- Chunks that can't be processed, moved out of the way of all others: since when (epoch ms) and why. rollup: 'pending'
  -- where none covered them yet, 'covered' where the hours hold them, 'rebuilt' where some were made again without them.
  CREATE TABLE quarantine (
    id INTEGER PRIMARY KEY,
    t0 INTEGER NOT NULL,
    t1 INTEGER NOT NULL,
    n INTEGER NOT NULL,
    rollup TEXT NOT NULL,
    at INTEGER NOT NULL,
    reason TEXT NOT NULL,
    crc INTEGER,
    bytes BLOB NOT NULL
  );
  -- Browsers and keys whose samples were erased meanwhile: these must not come back with a chunk that is released. kind:
  -- 'client' or 'key'.
  CREATE TABLE quarantine_erased (kind TEXT, id TEXT, PRIMARY KEY (kind, id)) WITHOUT ROWID;
  `,
  `
  -- key: id of the ingest key that a row was last written with; empty for a command, and for what was written before this
  -- was kept. standing: 0 heard once, 1 heard again, 2 still heard a day later.
  ALTER TABLE browser ADD COLUMN key TEXT NOT NULL DEFAULT '';
  ALTER TABLE probe_turn ADD COLUMN key TEXT NOT NULL DEFAULT '';
  ALTER TABLE browser ADD COLUMN standing INTEGER NOT NULL DEFAULT 2;
  CREATE INDEX browser_newcomer ON browser (key, standing, first_at) WHERE standing < 2;

  -- How much of what browsers told of themselves was not kept, by day since 1970 (UTC), ingest key and reason.
  CREATE TABLE not_kept (
    day INTEGER NOT NULL,
    key TEXT NOT NULL,
    reason TEXT NOT NULL,
    n INTEGER NOT NULL,
    PRIMARY KEY (day, key, reason)
  ) WITHOUT ROWID;
  `,
  `
  -- The numbers that packs use for browsers, apart from words since nobody keeps them in memory. last_day: newest day since
  -- 1970 (UTC) with samples. Numbers are never given again: packs that are older than the samples still have them.
  CREATE TABLE client (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    client TEXT NOT NULL UNIQUE,
    last_day INTEGER NOT NULL
  );
  CREATE INDEX client_last_day ON client (last_day);
  INSERT INTO client SELECT id, text, (SELECT coalesce(max(bucket) / 24, 0) FROM bucket WHERE level = 1)
    FROM word WHERE kind = 'client' ORDER BY id;
  DELETE FROM client WHERE client LIKE '(erased %';
  DELETE FROM word WHERE kind = 'client';
  `,
  `
  -- Named views of the dashboard, shared by everyone who may see it.
  CREATE TABLE saved_view (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE COLLATE NOCASE,
    query TEXT NOT NULL,
    at INTEGER NOT NULL,
    author TEXT NOT NULL
  ) WITHOUT ROWID;
  `,
  `
  -- What happened at a moment, or from then until \`until\`, such as a release. Epoch ms.
  CREATE TABLE annotation (
    id TEXT PRIMARY KEY,
    at INTEGER NOT NULL,
    until INTEGER,
    text TEXT NOT NULL,
    target TEXT,
    host TEXT,
    author TEXT NOT NULL,
    created_at INTEGER NOT NULL
  ) WITHOUT ROWID;
  `,
  `
  -- The chunks that are on their way to ClickHouse as one block: all up to this one. The token tells ClickHouse that it is the
  -- same block if it comes again.
  CREATE TABLE outbox_block (last_chunk INTEGER NOT NULL, token TEXT NOT NULL);
  `,
  `
  -- Which rows of a chunk are of which batch, where several collectors forward samples and each batch only once.
  CREATE TABLE chunk_batch (
    chunk INTEGER NOT NULL,
    first_row INTEGER NOT NULL,
    n INTEGER NOT NULL,
    batch BLOB NOT NULL,
    PRIMARY KEY (chunk, first_row)
  ) WITHOUT ROWID;
  `,
];

/** False for a database without tables, which nothing uses yet. */
export function needsMigration(database: Database): boolean {
  const version = versionOf(database);
  return version > 0 && version < STEPS.length;
}

/** Migrates the database in one transaction, after copying it; several processes may at once. Throws a StoreError. */
export function migrate(database: Database, notice: (text: string) => void): void {
  const before = versionOf(database);
  if (before === STEPS.length) return;
  if (needsMigration(database)) copyBeforeMigration(database, STEPS.length, { notice });
  database
    .transaction(() => {
      const version = versionOf(database);
      if (version > STEPS.length) throw tooNew(database);
      for (const step of STEPS.slice(version)) database.exec(step);
      database.prepare('INSERT OR REPLACE INTO kept VALUES (?, ?)').run(MIGRATED_BY, JSON.stringify(VERSION));
      database.pragma(`user_version = ${STEPS.length}`);
    })
    .immediate();
}

/** The error names the version to install instead, and the copy to go back to if there is one. */
export function tooNew(database: Database): StoreError {
  const text = database.prepare<[string], string>('SELECT value FROM kept WHERE name = ?').pluck().get(MIGRATED_BY);
  const by = JSON.parse(text ?? 'null') as string | null;
  // Between releases, tables change without the number.
  const newer = by === null || by === VERSION ? 'a newer Lastbyte' : `Lastbyte ${by}`;
  const [copy] = migrationCopies(database.name);
  const back = copy === undefined ? '' : `, or go back: put ${copy.file} into an empty folder as lastbyte.sqlite`;
  return new StoreError(
    'store_too_new',
    `the data folder was written by ${newer} (tables of version ${versionOf(database)}); this is Lastbyte ${VERSION}, which knows version ${STEPS.length}`,
    `Install that one or a later one${back}.`,
  );
}

export function versionOf(database: Database): number {
  return database.pragma('user_version', { simple: true }) as number;
}
