import type { KeyValueState } from '../store.ts';
import type { Connections, RunQuery } from './connection-pool.ts';

export function createKeyValueState({ query, transaction }: Connections): KeyValueState {
  return {
    read: (name) => readValue(query, name),
    write: (name, value) => writeValue(query, name, value),
    update: (name, change) =>
      transaction(async (run) => {
        await run('LOCK TABLE lastbyte.kept IN SHARE ROW EXCLUSIVE MODE');
        await writeValue(run, name, change(await readValue(run, name)));
      }),
  };
}

async function readValue(query: RunQuery, name: string): Promise<unknown> {
  const [row] = await query<{ value: string }>('SELECT value FROM lastbyte.kept WHERE name = $1', [name]);
  return row === undefined ? null : JSON.parse(row.value);
}

async function writeValue(query: RunQuery, name: string, value: unknown): Promise<void> {
  await query('INSERT INTO lastbyte.kept (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = $2', [
    name,
    JSON.stringify(value),
  ]);
}
