import type { Database } from 'better-sqlite3';
import { MAX_SESSIONS, MAX_SESSIONS_OF_TOKEN, type SessionStore } from '../store.ts';
import type { StoreRunner } from './store-thread.ts';
import { translating } from './translate-error.ts';

/**
 * Sessions are read here and written by the writer, because a commit waits for the disk. During a commit, further
 * changes are collected for the next one, so a batch waits for at most one of them, however many people sign in.
 */
export function createSessionStore(database: Database, writer: StoreRunner<'writer'>): SessionStore {
  const byHash = database.prepare<[string, number, number], { tokenHash: string }>(
    'SELECT token_hash AS tokenHash FROM session WHERE hash = ? AND until > ? AND until <= ?',
  );

  let gathered: SessionChange[] = [];
  let underWay: Promise<unknown> = Promise.resolve();
  /** The commit that will write the gathered changes; null if there are none. */
  let next: Promise<unknown> | null = null;

  function change(one: SessionChange, now: number): Promise<unknown> {
    gathered.push(one);
    const commit = () => {
      const changes = gathered;
      gathered = [];
      next = null;
      return writer.run('changeSessions', [changes, now]);
    };
    // A failed commit fails only its own changes.
    next ??= underWay = underWay.then(commit, commit);
    return next;
  }

  return {
    async open(hash, tokenHash, until, now) {
      await change({ kind: 'open', hash, tokenHash, until }, now);
    },
    async find(hash, now, latest) {
      return translating(() => byHash.get(hash, now, latest))?.tokenHash ?? null;
    },
    async close(hash, now) {
      await change({ kind: 'close', hash }, now);
    },
  };
}

/** `until` is epoch ms. */
export type SessionChange =
  | { readonly kind: 'open'; readonly hash: string; readonly tokenHash: string; readonly until: number }
  | { readonly kind: 'close'; readonly hash: string };

/** The writer's side: applies changes in order in one transaction, and removes sessions that have ended at `now`. */
export interface SessionWrites {
  changeSessions(changes: readonly SessionChange[], now: number): null;
}

export function createSessionWrites(database: Database): SessionWrites {
  const insert = database.prepare('INSERT INTO session (hash, token_hash, until) VALUES (@hash, @tokenHash, @until)');
  const remove = database.prepare('DELETE FROM session WHERE hash = ?');
  const expire = database.prepare('DELETE FROM session WHERE until <= ?');
  // Ranked within their tokens, so that one token's sign-ins never end the sessions of a token with fewer. All last equally
  // long: sessions that outlast the newest were opened while the clock ran ahead, and are refused anyway.
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
