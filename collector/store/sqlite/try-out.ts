import type { Database } from 'better-sqlite3';

/** As much as a small batch takes. */
const TRIED_BYTES = 32_768;
const NAME = 'try out';

/**
 * Whether writing works is only known by doing it: a disk may be full or have become read-only, and everything but a
 * commit still succeeds. What is written is gone by the end of the same transaction, so nothing grows.
 */
export function createTryOut(database: Database): () => null {
  const insert = database.prepare('INSERT OR REPLACE INTO kept (name, value) VALUES (?, hex(zeroblob(?)))');
  const remove = database.prepare('DELETE FROM kept WHERE name = ?');
  const write = database.transaction(() => {
    insert.run(NAME, TRIED_BYTES / 2);
    remove.run(NAME);
  });
  return () => {
    write.immediate();
    return null;
  };
}
