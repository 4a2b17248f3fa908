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
    const { password: _password, ...address } = samples;
    const text = JSON.stringify(address);
    if (text !== kept) database.prepare('INSERT OR REPLACE INTO kept (name, value) VALUES (?, ?)').run(NAME, text);
    return samples;
  }
  if (kept === undefined) return null;
  const address = JSON.parse(kept) as Omit<ClickHouseAddress, 'password'>;
  if (as === 'command') return { ...address, password: samplesPassword };
  throw new StoreError(
    'data_folder_unusable',
    `the samples of this data folder are in ClickHouse, in the database ${address.database}`,
    'Start the server with the same --samples as before, or with another data folder.',
  );
}
