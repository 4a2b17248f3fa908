import { MAX_SESSIONS, MAX_SESSIONS_OF_TOKEN, type SessionStore } from '../store.ts';
import type { Connections } from './connection-pool.ts';

/** Both by the asking collector's clock and the database's: one clock that is ahead must not sign everybody out. */
const ENDED = (now: string) => `until <= least(${now}, (extract(epoch FROM now()) * 1000)::bigint)`;

export function createSessionStore({ query, transaction }: Connections): SessionStore {
  return {
    open: (hash, tokenHash, until, now) =>
      transaction(async (run) => {
        // Two sign-ins that removed the same sessions in different orders would wait for each other.
        await run('LOCK TABLE lastbyte.session IN SHARE ROW EXCLUSIVE MODE');
        await run(`DELETE FROM lastbyte.session WHERE ${ENDED('$1')}`, [now]);
        await run('INSERT INTO lastbyte.session (hash, token_hash, until) VALUES ($1, $2, $3)', [
          hash,
          tokenHash,
          until,
        ]);
        // Ranked as in ../sqlite/sqlite-sessions.ts, where it says why.
        await run(
          `WITH ranked AS (
             SELECT hash, row_number() OVER (PARTITION BY token_hash ORDER BY until <= $1 DESC, until DESC) AS rank
             FROM lastbyte.session
           ), ordered AS (SELECT hash, rank, row_number() OVER (ORDER BY rank) AS place FROM ranked)
           DELETE FROM lastbyte.session WHERE hash IN (SELECT hash FROM ordered WHERE rank > $2 OR place > $3)`,
          [until, MAX_SESSIONS_OF_TOKEN, MAX_SESSIONS],
        );
      }),
    async find(hash, now, latest) {
      const sql =
        'SELECT token_hash AS "tokenHash" FROM lastbyte.session WHERE hash = $1 AND until > $2 AND until <= $3';
      const [session] = await query<{ tokenHash: string }>(sql, [hash, now, latest]);
      return session?.tokenHash ?? null;
    },
    async close(hash, now) {
      await query(`DELETE FROM lastbyte.session WHERE hash = $1 OR ${ENDED('$2')}`, [hash, now]);
    },
  };
}
