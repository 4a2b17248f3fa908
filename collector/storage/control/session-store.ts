import { MAX_SESSIONS, MAX_SESSIONS_OF_TOKEN, type SessionStore } from '../store.ts';
import type { ControlDatabase, Statements } from './control-database.ts';

/** `until` is epoch ms. */
export type SessionChange =
  | { readonly kind: 'open'; readonly hash: string; readonly tokenHash: string; readonly until: number }
  | { readonly kind: 'close'; readonly hash: string };

/** @param change applies a change, and resolves once it is stored */
export function createSessionStore(
  { schema, query }: ControlDatabase,
  change: (one: SessionChange, now: number) => Promise<void>,
): SessionStore {
  const find = `SELECT token_hash AS "tokenHash" FROM ${schema}.session
    WHERE hash = @hash AND until > @now AND until <= @latest`;
  return {
    open: (hash, tokenHash, until, now) => change({ kind: 'open', hash, tokenHash, until }, now),
    async find(hash, now, latest) {
      const [session] = await query<{ tokenHash: string }>(find, { hash, now, latest });
      return session?.tokenHash ?? null;
    },
    close: (hash, now) => change({ kind: 'close', hash }, now),
  };
}

/** Applies changes in order, and removes sessions that have ended at `now`. */
export function* changeSessions(
  { schema, hasEnded }: Pick<ControlDatabase, 'schema' | 'hasEnded'>,
  changes: readonly SessionChange[],
  now: number,
): Statements<void> {
  yield [`DELETE FROM ${schema}.session WHERE ${hasEnded}`, { now }];
  let newest = Number.NEGATIVE_INFINITY;
  for (const change of changes) {
    if (change.kind === 'close') yield [`DELETE FROM ${schema}.session WHERE hash = @hash`, change];
    else {
      yield [`INSERT INTO ${schema}.session (hash, token_hash, until) VALUES (@hash, @tokenHash, @until)`, change];
      newest = Math.max(newest, change.until);
    }
  }
  if (newest === Number.NEGATIVE_INFINITY) return;
  // Ranked within their tokens, so that one token's sign-ins never end the sessions of a token with fewer. All last equally
  // long: sessions that outlast the newest were opened while the clock ran ahead, and are refused anyway.
  yield [
    `WITH ranked AS (
       SELECT hash, row_number() OVER (PARTITION BY token_hash ORDER BY until <= @newest DESC, until DESC) AS rank
       FROM ${schema}.session
     ), ordered AS (SELECT hash, rank, row_number() OVER (ORDER BY rank) AS place FROM ranked)
     DELETE FROM ${schema}.session WHERE hash IN (
       SELECT hash FROM ordered WHERE rank > ${MAX_SESSIONS_OF_TOKEN} OR place > ${MAX_SESSIONS}
     )`,
    { newest },
  ];
}
