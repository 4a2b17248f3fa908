import type { Database } from 'better-sqlite3';
import type { StoredToken, TokenStore } from '../store.ts';
import { translating } from './translate-error.ts';

export function createTokenStore(database: Database): TokenStore {
  const columns = 'id, role, hash, created_at AS createdAt, label';
  const insert = database.prepare(
    'INSERT INTO token (id, role, hash, created_at, label) VALUES (@id, @role, @hash, @createdAt, @label)',
  );
  const byHash = database.prepare<[string], StoredToken>(`SELECT ${columns} FROM token WHERE hash = ?`);
  const all = database.prepare<[], StoredToken>(`SELECT ${columns} FROM token ORDER BY created_at, id`);
  const remove = database.prepare('DELETE FROM token WHERE id = ?');

  return {
    async create(token) {
      translating(() => insert.run(token));
    },
    async findByHash(hash) {
      return translating(() => byHash.get(hash)) ?? null;
    },
    async list() {
      return translating(() => all.all());
    },
    async revoke(id) {
      return translating(() => remove.run(id)).changes > 0;
    },
  };
}
