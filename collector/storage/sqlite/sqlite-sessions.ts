import type { Database } from 'better-sqlite3';
import type { SessionStore } from '../store.ts';
import type { JobRunner } from '../workers/job-runner.ts';
import type { SessionChange } from './session-writes.ts';
import { translating } from './translate-error.ts';

/**
 * Sessions are read here and written by the writer: a commit waits for the disk. While one is under way, the changes that
 * come are gathered for the next, so a batch never waits for more than one of them, however many people sign in.
 */
export function createSessionStore(database: Database, writer: JobRunner): SessionStore {
  const byHash = database.prepare<[string, number, number], { tokenHash: string }>(
    'SELECT token_hash AS tokenHash FROM session WHERE hash = ? AND until > ? AND until <= ?',
  );

  let gathered: SessionChange[] = [];
  let underWay: Promise<unknown> = Promise.resolve();
  /** The commit that takes what is gathered; null while nothing is. */
  let next: Promise<unknown> | null = null;

  function change(one: SessionChange, now: number): Promise<unknown> {
    gathered.push(one);
    const commit = () => {
      const changes = gathered;
      gathered = [];
      next = null;
      return writer.run('changeSessions', [changes, now]);
    };
    // One that failed fails its own changes only.
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
