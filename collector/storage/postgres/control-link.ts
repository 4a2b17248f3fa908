import { createKeyValueState } from '../control/control-data.ts';
import type { KeyValueState } from '../store.ts';
import { LOCKS } from './advisory-locks.ts';
import type { ConnectionPool, DedicatedConnection } from './connection-pool.ts';
import { controlDatabase } from './postgres-control.ts';
import { unreachable } from './translate-error.ts';

/**
 * A leader that lost its network notices at the next poll, after a query's timeout: within 11 s. The server must not give its
 * lock away before, and should not keep it long after, ms.
 */
const GIVEN_UP_AFTER_MS = 25_000;

/**
 * The server gives up a connection whose other end does not answer, whether or not it has sent something
 * (https://www.postgresql.org/docs/current/runtime-config-connection.html), and, from version 14 on, one that says nothing: a hung
 * process's kernel still answers.
 */
const givenUpAfter = (ms: number) => `
  SET tcp_keepalives_idle = 10;
  SET tcp_keepalives_interval = 5;
  SET tcp_keepalives_count = 3;
  SET tcp_user_timeout = ${ms};
  SELECT set_config('idle_session_timeout', '${ms}', false) WHERE current_setting('server_version_num')::integer >= 140000`;

/** What may have changed in the control database, each as a value that differs once it has. */
export interface ControlVersions {
  readonly settings: string;
  readonly tokens: string;
}

/** The one connection of a server over which it watches the control database, and holds the lock of the leader. */
export interface ControlLink {
  /** Connects if necessary, and becomes leader if there is none. Throws a StoreError. */
  poll(): Promise<ControlVersions>;
  /** State that is written over the connection that holds the lock; null if another collector leads. */
  leading(): KeyValueState | null;
  close(): Promise<void>;
}

/** @param prepare called with each new connection */
export function createControlLink(
  pool: Pick<ConnectionPool, 'dedicated'>,
  prepare: (connection: DedicatedConnection) => Promise<void>,
  givenUpAfterMs = GIVEN_UP_AFTER_MS,
): ControlLink {
  let connection: DedicatedConnection | null = null;
  let state: KeyValueState | null = null;
  let leads = false;

  function lose(): void {
    connection = null;
    leads = false;
  }

  async function connect(): Promise<DedicatedConnection> {
    const opened = await pool.dedicated();
    try {
      await opened.query(givenUpAfter(givenUpAfterMs));
      await prepare(opened);
    } catch (error) {
      void opened.close();
      throw error;
    }
    connection = opened;
    state = createKeyValueState(controlDatabase(opened));
    void opened.ended.then(() => {
      if (connection === opened) lose();
    });
    return opened;
  }

  return {
    async poll() {
      const current = connection ?? (await connect());
      try {
        const [seen] = await current.query<ControlVersions & { leads: boolean; standby: boolean }>(
          `SELECT
             coalesce((SELECT revision || ' ' || at FROM lastbyte.settings ORDER BY revision DESC LIMIT 1), '') AS settings,
             (SELECT coalesce(md5(string_agg(id, ' ' ORDER BY id)), '') FROM lastbyte.token) AS tokens,
             pg_is_in_recovery() AS standby,
             CASE WHEN $1 THEN true WHEN pg_is_in_recovery() THEN false ELSE ${LOCKS.leadership} END AS leads`,
          [leads],
        );
        // Its locks are its own: another collector may lead at the primary.
        if (seen?.standby) throw unreachable('it is a standby');
        if (connection === current) leads = seen?.leads ?? false;
        return { settings: seen?.settings ?? '', tokens: seen?.tokens ?? '' };
      } catch (error) {
        // After a timeout its state is unknown. Closing it also gives the lock back.
        if (connection === current) lose();
        void current.close();
        throw error;
      }
    },
    leading: () => (leads ? state : null),
    async close() {
      const last = connection;
      lose();
      await last?.close();
    },
  };
}
