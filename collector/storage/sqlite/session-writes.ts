import type { Database } from 'better-sqlite3';

/** Of one token: a team may share one. Beyond it the oldest of that token is signed out. */
export const MAX_SESSIONS_OF_TOKEN = 500;
/** Of all tokens. Beyond it the oldest of the token that has the most is signed out. */
export const MAX_SESSIONS = 10_000;

/** One that is opened has its token's hash and its end, epoch ms. */
export type SessionChange =
  | { readonly kind: 'open'; readonly hash: string; readonly tokenHash: string; readonly until: number }
  | { readonly kind: 'close'; readonly hash: string };

/** The writer's side: changes in their order, in one transaction. Sessions that have ended at `now` are removed with it. */
export interface SessionWrites {
  changeSessions(changes: readonly SessionChange[], now: number): null;
}

export function createSessionWrites(database: Database): SessionWrites {
  const insert = database.prepare('INSERT INTO session (hash, token_hash, until) VALUES (@hash, @tokenHash, @until)');
  const remove = database.prepare('DELETE FROM session WHERE hash = ?');
  const expire = database.prepare('DELETE FROM session WHERE until <= ?');
  // Ranked within their tokens, so that no token's sign-ins end the sessions of one that has fewer. All last equally
  // long: those that would outlast the newest were opened while the clock ran ahead, and are refused anyway.
  const limit = database.prepare<[number]>(
    `WITH ranked AS (
       SELECT hash, row_number() OVER (PARTITION BY token_hash ORDER BY until <= ? DESC, until DESC) AS rank FROM session
     )
     DELETE FROM session WHERE hash IN (
       SELECT hash FROM ranked WHERE rank > ${MAX_SESSIONS_OF_TOKEN}
       UNION ALL
       SELECT hash FROM (SELECT hash FROM ranked ORDER BY rank LIMIT -1 OFFSET ${MAX_SESSIONS})
     )`,
  );

  const write = database.transaction((changes: readonly SessionChange[], now: number) => {
    expire.run(now);
    let newest = Number.NEGATIVE_INFINITY;
    for (const change of changes) {
      if (change.kind === 'close') remove.run(change.hash);
      else {
        insert.run(change);
        newest = Math.max(newest, change.until);
      }
    }
    if (newest > Number.NEGATIVE_INFINITY) limit.run(newest);
  });
  return {
    changeSessions(changes, now) {
      write.immediate(changes, now);
      return null;
    },
  };
}
