import {
  type Annotation,
  type AnnotationStore,
  type ControlStore,
  type KeyValueState,
  MAX_ANNOTATIONS,
  MAX_SAVED_VIEWS,
  type SavedView,
  type StoredToken,
  type TokenStore,
  type ViewStore,
} from '../store.ts';
import type { ControlDatabase } from './control-database.ts';
import { createSettingsStore } from './settings-store.ts';

/** Sessions aside, which SQLite writes in another thread. */
export type ControlData = Pick<ControlStore, 'settings' | 'tokens' | 'views' | 'annotations' | 'keyValues'>;

export function createControlData(database: ControlDatabase): ControlData {
  return {
    settings: createSettingsStore(database),
    tokens: createTokenStore(database),
    views: createViewStore(database),
    annotations: createAnnotationStore(database),
    keyValues: createKeyValueState(database),
  };
}

/**
 * Lookups are cached until the end of the current turn of the event loop: sixty batches that arrive together mostly carry one
 * key. Changes by another process take effect from the next turn on.
 */
function createTokenStore({ schema, query }: ControlDatabase): TokenStore {
  const select = `SELECT id, role, hash, created_at AS "createdAt", label FROM ${schema}.token`;
  const insert = `INSERT INTO ${schema}.token (id, role, hash, created_at, label) VALUES (@id, @role, @hash, @createdAt, @label)`;

  let found = new Map<string, Promise<StoredToken | null>>();
  // Not `found.clear()`: V8 links a cleared Map's old table to its successor, so once one is in the old generation it
  // keeps all successors and their rows alive until the next full collection.
  const forget = () => {
    found = new Map();
  };
  const find = async (hash: string) => (await query<StoredToken>(`${select} WHERE hash = @hash`, { hash }))[0] ?? null;

  return {
    async create(token) {
      forget();
      await query(insert, token);
    },
    findByHash(hash) {
      if (found.size === 0) setImmediate(forget);
      const token = found.get(hash) ?? find(hash);
      found.set(hash, token);
      return token;
    },
    list: () => query<StoredToken>(`${select} ORDER BY created_at, id`),
    revoke(id) {
      forget();
      return remove({ schema, query }, 'token', id);
    },
  };
}

function createViewStore(database: ControlDatabase): ViewStore {
  const { schema, bytewise, query, transaction } = database;
  /** A name with its ASCII letters in lower case, as the unique index compares it. */
  const folded = (name: string) => `lower(${name} COLLATE "${bytewise}")`;
  const list = `SELECT id, name, query, at, author FROM ${schema}.saved_view ORDER BY ${folded('name')}`;
  const named = `SELECT id FROM ${schema}.saved_view WHERE ${folded('name')} = ${folded('@name')} AND id <> @id`;
  const others = `SELECT count(*) AS n FROM ${schema}.saved_view WHERE id <> @id`;
  const put = `INSERT INTO ${schema}.saved_view (id, name, query, at, author) VALUES (@id, @name, @query, @at, @author)
    ON CONFLICT (id) DO UPDATE SET name = @name, query = @query, at = @at, author = @author`;
  return {
    list: () => query<SavedView>(list),
    write: (view) =>
      transaction('saved_view', function* () {
        if ((yield [named, view]).length > 0) return 'name_taken';
        if (countOf(yield [others, view]) >= MAX_SAVED_VIEWS) return 'full';
        yield [put, view];
        return 'written';
      }),
    remove: (id) => remove(database, 'saved_view', id),
  };
}

function createAnnotationStore(database: ControlDatabase): AnnotationStore {
  const { schema, bytewise, query, transaction } = database;
  // A parameter is first compared, from which PostgreSQL takes its type.
  const touching = `
    SELECT id, at, until, text, target, host, author, created_at AS "createdAt" FROM ${schema}.annotation
    WHERE (at < @to OR @to IS NULL) AND (coalesce(until, at) >= @from OR @from IS NULL)
    ORDER BY at, id COLLATE "${bytewise}"`;
  const count = `SELECT count(*) AS n FROM ${schema}.annotation`;
  const insert = `INSERT INTO ${schema}.annotation (id, at, until, text, target, host, author, created_at)
    VALUES (@id, @at, @until, @text, @target, @host, @author, @createdAt)`;
  return {
    list: (range) => query<Annotation>(touching, range),
    add: (annotation) =>
      transaction('annotation', function* () {
        if (countOf(yield [count]) >= MAX_ANNOTATIONS) return 'full';
        yield [insert, annotation];
        return 'written';
      }),
    remove: (id) => remove(database, 'annotation', id),
  };
}

export function createKeyValueState({ schema, query, transaction }: ControlDatabase): KeyValueState {
  const find = `SELECT value FROM ${schema}.kept WHERE name = @name`;
  const put = `INSERT INTO ${schema}.kept (name, value) VALUES (@name, @value) ON CONFLICT (name) DO UPDATE SET value = @value`;
  const parsed = ([row]: readonly { readonly value?: unknown }[]): unknown =>
    row === undefined ? null : JSON.parse(row.value as string);
  return {
    read: async (name) => parsed(await query(find, { name })),
    async write(name, value) {
      await query(put, { name, value: JSON.stringify(value) });
    },
    update: (name, change) =>
      transaction('kept', function* () {
        yield [put, { name, value: JSON.stringify(change(parsed(yield [find, { name }]))) }];
      }),
  };
}

/** True if there was such a row. */
async function remove(
  { schema, query }: Pick<ControlDatabase, 'schema' | 'query'>,
  table: string,
  id: string,
): Promise<boolean> {
  return (await query(`DELETE FROM ${schema}.${table} WHERE id = @id RETURNING id`, { id })).length > 0;
}

function countOf([row]: readonly { readonly n?: unknown }[]): number {
  return Number(row?.n);
}
