import { type ControlData, createControlData } from '../control/control-data.ts';
import type { ControlDatabase } from '../control/control-database.ts';
import { changeSessions, createSessionStore } from '../control/session-store.ts';
import type { SessionStore } from '../store.ts';
import type { Connections, RunQuery } from './connection-pool.ts';

export function createSharedControl(connections: Connections): ControlData & { readonly sessions: SessionStore } {
  const control = controlDatabase(connections);
  return {
    ...createControlData(control),
    sessions: createSessionStore(control, (one, now) =>
      control.transaction('session', () => changeSessions(control, [one], now)),
    ),
  };
}

export function controlDatabase({ query, transaction }: Connections): ControlDatabase {
  return {
    schema: 'lastbyte',
    // With it, lower() changes ASCII letters only, as in the index saved_view_name.
    bytewise: 'C',
    // Both by the asking collector's clock and the database's: one clock that is ahead must not sign everybody out.
    hasEnded: 'until <= least(@now, (extract(epoch FROM now()) * 1000)::bigint)',
    query: boundByName(query),
    transaction: (table, work) =>
      transaction(async (run) => {
        // Limits and names concern all rows; and two writers of the same rows in different orders would wait for each other.
        await run(`LOCK TABLE lastbyte.${table} IN SHARE ROW EXCLUSIVE MODE`);
        const query = boundByName(run);
        const statements = work();
        let step = statements.next();
        while (!step.done) step = statements.next(await query<Record<string, unknown>>(...step.value));
        return step.value;
      }),
  };
}

/** PostgreSQL numbers values. */
function boundByName(run: RunQuery): ControlDatabase['query'] {
  return (sql, values = {}) => {
    const names = [...new Set(sql.match(/@\w+/g))];
    const byName = new Map<string, unknown>(Object.entries(values));
    return run(
      sql.replace(/@\w+/g, (name) => `$${names.indexOf(name) + 1}`),
      names.map((name) => byName.get(name.slice(1))),
    );
  };
}
