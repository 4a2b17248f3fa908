import type { StoredToken, TokenStore } from '../store.ts';
import type { RunQuery } from './connection-pool.ts';

const COLUMNS = 'id, role, hash, created_at AS "createdAt", label';

export function createTokenStore(query: RunQuery): TokenStore {
  return {
    async create({ id, role, hash, createdAt, label }) {
      const sql = 'INSERT INTO lastbyte.token (id, role, hash, created_at, label) VALUES ($1, $2, $3, $4, $5)';
      await query(sql, [id, role, hash, createdAt, label]);
    },
    async findByHash(hash) {
      const [token] = await query<StoredToken>(`SELECT ${COLUMNS} FROM lastbyte.token WHERE hash = $1`, [hash]);
      return token ?? null;
    },
    list: () => query<StoredToken>(`SELECT ${COLUMNS} FROM lastbyte.token ORDER BY created_at, id`),
    async revoke(id) {
      return (await query('DELETE FROM lastbyte.token WHERE id = $1 RETURNING id', [id])).length > 0;
    },
  };
}
