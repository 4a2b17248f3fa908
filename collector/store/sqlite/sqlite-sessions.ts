import type { Database } from 'better-sqlite3';
import type { SessionStore } from '../store.ts';
import { translating } from './translate-error.ts';

/** Beyond it the one that ends first is signed out. */
const MAX_SESSIONS = 10_000;

export function createSessionStore(database: Database): SessionStore {
  const insert = database.prepare('INSERT INTO session (hash, token_hash, until) VALUES (?, ?, ?)');
  const byHash = database.prepare<[string, number, number], { tokenHash: string }>(
    'SELECT token_hash AS tokenHash FROM session WHERE hash = ? AND until > ? AND until <= ?',
  );
  const remove = database.prepare('DELETE FROM session WHERE hash = ?');
  const expire = database.prepare('DELETE FROM session WHERE until <= ?');
  const limit = database.prepare(
    `DELETE FROM session WHERE hash IN (SELECT hash FROM session ORDER BY until DESC LIMIT -1 OFFSET ${MAX_SESSIONS})`,
  );

  return {
    async open(hash, tokenHash, until, now) {
      translating(() => {
        expire.run(now);
        insert.run(hash, tokenHash, until);
        limit.run();
      });
    },
    async find(hash, now, latest) {
      return translating(() => byHash.get(hash, now, latest))?.tokenHash ?? null;
    },
    async close(hash) {
      translating(() => remove.run(hash));
    },
  };
}
