import type { Database } from 'better-sqlite3';
import type { StoredToken, TokenStore } from '../store.ts';
import { translating } from './translate-error.ts';

/**
 * Lookups are cached until the end of the current turn of the event loop: sixty batches that arrive together mostly carry one
 * key. Changes by another process take effect from the next turn on.
 */
export function createTokenStore(database: Database): TokenStore {
  const columns = 'id, role, hash, created_at AS createdAt, label';
  const insert = database.prepare(
    'INSERT INTO token (id, role, hash, created_at, label) VALUES (@id, @role, @hash, @createdAt, @label)',
  );
  const byHash = database.prepare<[string], StoredToken>(`SELECT ${columns} FROM token WHERE hash = ?`);
  const all = database.prepare<[], StoredToken>(`SELECT ${columns} FROM token ORDER BY created_at, id`);
  const remove = database.prepare('DELETE FROM token WHERE id = ?');

  let found = new Map<string, StoredToken | null>();
  // Not `found.clear()`: V8 links a cleared Map's old table to its successor, so once one is in the old generation it
  // keeps all successors and their rows alive until the next full collection.
  const forget = () => {
    found = new Map();
  };

  return {
    async create(token) {
      forget();
      translating(() => insert.run(token));
    },
    async findByHash(hash) {
      const known = found.get(hash);
      if (known !== undefined) return known;
      const token = translating(() => byHash.get(hash)) ?? null;
      if (found.size === 0) setImmediate(forget);
      found.set(hash, token);
      return token;
    },
    async list() {
      return translating(() => all.all());
    },
    async revoke(id) {
      forget();
      return translating(() => remove.run(id)).changes > 0;
    },
  };
}
