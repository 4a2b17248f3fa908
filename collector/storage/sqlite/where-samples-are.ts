import type { Database } from 'better-sqlite3';
import type { ClickHouseAddress, StoreOptions } from '../store.ts';
import { StoreError } from '../store-error.ts';

/** Name in the table `kept`. */
const NAME = 'clickHouse';

/**
 * Remembers where a data folder's samples are: a command such as `lastbyte erase` that looked only here would find none of
 * them, and a server would collect others beside them. null if they are here. Throws a StoreError.
 */
export function whereSamplesAre(
  database: Database,
  { as, samples = null, samplesPassword = '' }: StoreOptions,
): ClickHouseAddress | null {
  const kept = database.prepare<[string], string>('SELECT value FROM kept WHERE name = ?').pluck().get(NAME);
  if (samples !== null) {
    if (kept === undefined) refuseSamplesHere(database, samples);
    else refuseAnother(database, addressOf(kept), samples);
    // Not without need, which a full disk would refuse.
    if (kept !== withoutPassword(samples)) rememberSamplesIn(database, samples);
    return samples;
  }
  if (kept === undefined) return null;
  const address = addressOf(kept);
  if (as === 'command') return { ...address, password: samplesPassword };
  throw new StoreError(
    'data_folder_unusable',
    `the samples of this data folder are in ClickHouse, in the database ${address.database}`,
    'Start the server with the same --samples as before, or with another data folder.',
  );
}

/** A command that was begun before lastbyte migrate ended would change a copy that is no longer read. Throws a StoreError. */
export function expectSamplesHere(database: Database): void {
  if (database.prepare('SELECT 1 FROM kept WHERE name = ?').get(NAME) === undefined) return;
  throw new StoreError(
    'data_folder_unusable',
    'the samples of this data folder have been moved to ClickHouse meanwhile',
    'Run the command again.',
  );
}

export function rememberSamplesIn(database: Database, samples: ClickHouseAddress): void {
  database.prepare('INSERT OR REPLACE INTO kept (name, value) VALUES (?, ?)').run(NAME, withoutPassword(samples));
}

/** In the form of earlier versions, which knew several hosts and clusters. */
function withoutPassword({ url, user, database }: ClickHouseAddress): string {
  return JSON.stringify({ hosts: [url], user, database, cluster: null });
}

/** Throws a StoreError for samples that an earlier version spread over a cluster. */
function addressOf(kept: string): Omit<ClickHouseAddress, 'password'> {
  const { hosts, user, database, cluster } = JSON.parse(kept);
  if (cluster === null) return { url: hosts[0], user, database };
  throw new StoreError(
    'data_folder_unusable',
    `the samples of this data folder are spread over the shards of the cluster ${cluster}, which Lastbyte no longer does`,
    'Start with an empty data folder and another database, or go on with the release that wrote this one.',
  );
}

/** The host and the user may change. In another database, answers would lack what was sent before, and later have only that. */
function refuseAnother(
  database: Database,
  { database: name }: Pick<ClickHouseAddress, 'database'>,
  samples: ClickHouseAddress,
): void {
  if (samples.database === name || !hasSent(database)) return;
  throw new StoreError(
    'data_folder_unusable',
    `samples of this data folder are in the database ${name}`,
    'Give the same database as before, or another data folder.',
  );
}

/** Whether chunks have left the outbox: their numbers are given once. */
function hasSent(database: Database): boolean {
  const given = database.prepare<[], number>("SELECT seq FROM sqlite_sequence WHERE name = 'chunk'").pluck().get() ?? 0;
  const first = database.prepare<[], number | null>('SELECT min(id) FROM chunk').pluck().get() ?? given + 1;
  return first > 1;
}

/** No answer would have them, nor rollups whose samples have expired. */
function refuseSamplesHere(database: Database, { database: name }: ClickHouseAddress): void {
  const some = database.prepare<[], number>('SELECT 1 FROM chunk UNION ALL SELECT 1 FROM bucket WHERE n > 0 LIMIT 1');
  if (some.get() === undefined) return;
  throw new StoreError(
    'data_folder_unusable',
    `this data folder has samples of its own, which are not in the database ${name}`,
    'Copy them first, with lastbyte migrate --to and the same address.',
  );
}
