import { randomUUID } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import type { ClickHouseAddress } from '../store.ts';
import { rememberSamplesIn } from './where-samples-are.ts';

/** Names in the table `kept`. */
const COPY = 'copy to ClickHouse';
const COPIED = 'copied chunks';
/** Chunks removed per transaction, because commands may write meanwhile. */
const CHUNKS_AT_ONCE = 100;

/** The id that a data folder's copy has in ClickHouse, the same each time. */
export function copyId(database: Database): string {
  database.prepare('INSERT OR IGNORE INTO kept (name, value) VALUES (?, ?)').run(COPY, randomUUID());
  return database.prepare<[string], string>('SELECT value FROM kept WHERE name = ?').pluck().get(COPY) ?? '';
}

/** Changes whenever samples are stored or removed. */
export function samplesVersion(database: Database): string {
  const { last, step } = database
    .prepare<[], { last: number | null; step: number }>(
      "SELECT (SELECT seq FROM sqlite_sequence WHERE name = 'chunk') AS last, step FROM state",
    )
    .get() ?? { last: null, step: 0 };
  return `${last}/${step}`;
}

/**
 * From here on the samples of a data folder are in ClickHouse. False if they are no longer those of that version: then
 * nothing has changed.
 */
export function moveSamplesTo(database: Database, address: ClickHouseAddress, version: string): boolean {
  return database
    .transaction(() => {
      if (samplesVersion(database) !== version) return false;
      rememberSamplesIn(database, address);
      const last = database.prepare<[], number | null>('SELECT max(id) FROM chunk').pluck().get() ?? 0;
      database.prepare('INSERT OR REPLACE INTO kept (name, value) VALUES (?, ?)').run(COPIED, String(last));
      return true;
    })
    .immediate();
}

/** Removes chunks that ClickHouse has, before any is forwarded. Goes on where an earlier call was cut off. */
export function removeCopied(database: Database): void {
  const last = database.prepare<[string], string>('SELECT value FROM kept WHERE name = ?').pluck().get(COPIED);
  if (last === undefined) return;
  const remove = database.prepare(
    `DELETE FROM chunk WHERE id IN (SELECT id FROM chunk WHERE id <= ? ORDER BY id LIMIT ${CHUNKS_AT_ONCE})`,
  );
  while (remove.run(Number(last)).changes > 0);
  database
    .transaction(() => {
      database.prepare('DELETE FROM pending WHERE chunk <= ?').run(Number(last));
      database.prepare('DELETE FROM kept WHERE name IN (?, ?)').run(COPIED, COPY);
      database.exec('UPDATE state SET revision = revision + 1, step = step + 1');
    })
    .immediate();
}
