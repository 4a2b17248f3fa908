/**
 * Step i migrates a control database from version i to i + 1. Released steps never change; new ones are appended. Tables and
 * columns are named as in SQLite's (../sqlite/migrations.ts), so that a data folder's rows can be copied as they are.
 */
export const STEPS: readonly string[] = [
  `
  CREATE TABLE lastbyte.settings (
    revision integer PRIMARY KEY,
    at bigint NOT NULL,
    document text NOT NULL,
    author text NOT NULL
  );
  CREATE TABLE lastbyte.token (
    id text PRIMARY KEY,
    role text NOT NULL,
    hash text NOT NULL UNIQUE,
    created_at bigint NOT NULL,
    label text NOT NULL
  );
  CREATE TABLE lastbyte.session (hash text PRIMARY KEY, token_hash text NOT NULL, until bigint NOT NULL);
  CREATE INDEX session_until ON lastbyte.session (until);
  CREATE TABLE lastbyte.saved_view (
    id text PRIMARY KEY,
    name text NOT NULL,
    query text NOT NULL,
    at bigint NOT NULL,
    author text NOT NULL
  );
  -- With the collation C, lower() changes ASCII letters only, as SQLite's NOCASE does.
  CREATE UNIQUE INDEX saved_view_name ON lastbyte.saved_view (lower(name COLLATE "C"));
  CREATE TABLE lastbyte.annotation (
    id text PRIMARY KEY,
    at bigint NOT NULL,
    until bigint,
    text text NOT NULL,
    target text,
    host text,
    author text NOT NULL,
    created_at bigint NOT NULL
  );
  CREATE TABLE lastbyte.kept (name text PRIMARY KEY, value text NOT NULL);
  `,
  `
  -- Batches whose samples a collector forwards to where all of them keep samples: others that have them too do not.
  CREATE TABLE lastbyte.batch (id uuid PRIMARY KEY, collector uuid NOT NULL, at timestamptz NOT NULL DEFAULT now());
  CREATE INDEX batch_at ON lastbyte.batch (at);
  `,
];

/** Before the first step: where the steps are counted. */
export const FOUNDATION = `
  CREATE SCHEMA IF NOT EXISTS lastbyte;
  CREATE TABLE IF NOT EXISTS lastbyte.version (version integer NOT NULL);
`;
