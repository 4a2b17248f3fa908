import type { Database } from 'better-sqlite3';

/** As much as a small batch takes. */
const TRIED_BYTES = 32_768;
const NAME = 'try out';

/**
 * Whether writing works is only known by doing it: a disk may be full or have become read-only, and everything but a
 * commit still succeeds. What is written is removed by a commit of its own: pages that are freed by the one that wrote them
 * never reach the log, and a full disk would look like one with room.
 */
export function createWriteProbe(database: Database): (bytes: number) => null {
  const insert = database.prepare('INSERT OR REPLACE INTO kept (name, value) VALUES (?, hex(zeroblob(?)))');
  const remove = database.prepare('DELETE FROM kept WHERE name = ?');
  return (bytes) => {
    insert.run(NAME, Math.max(TRIED_BYTES, bytes) / 2);
    remove.run(NAME);
    return null;
  };
}
