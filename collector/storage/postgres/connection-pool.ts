import pg from 'pg';
import type { StoreError } from '../store-error.ts';
import type { ControlAddress } from './control-address.ts';
import { translateError } from './translate-error.ts';

/** For one collector: a page of the dashboard makes a dozen small queries. */
const MAX_CONNECTIONS = 5;
const CONNECT_TIMEOUT_MS = 5000;
/** Every query is a few rows; beyond this the server or the network hangs. */
const QUERY_TIMEOUT_MS = 10_000;
/** Times are epoch ms, which a number holds exactly; pg would return int8 as text. */
const INT8: number = pg.types.builtins.INT8;

/** Runs one statement. Throws a StoreError. Values are always bound. */
export type RunQuery = <R>(sql: string, values?: readonly unknown[]) => Promise<R[]>;

export interface Connections {
  readonly query: RunQuery;
  /** Throws a StoreError; then nothing is written. */
  transaction<T>(work: (query: RunQuery) => Promise<T>): Promise<T>;
}

export interface ConnectionPool extends Connections {
  /** Opens a connection that no one else uses. */
  dedicated(): Promise<DedicatedConnection>;
  close(): Promise<void>;
}

/** Statements and transactions take turns. */
export interface DedicatedConnection extends Connections {
  /** Resolves when the connection is lost or closed. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

export function openConnectionPool(address: ControlAddress): ConnectionPool {
  const config: pg.ClientConfig = {
    ...address,
    application_name: 'lastbyte',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    statement_timeout: QUERY_TIMEOUT_MS,
    // A collector that died mid-transaction would hold its locks for hours, until the server gives up the connection.
    idle_in_transaction_session_timeout: QUERY_TIMEOUT_MS,
    keepAlive: true,
    types: { getTypeParser: parserOf },
  };
  const pool = new pg.Pool({ ...config, max: MAX_CONNECTIONS });
  pool.on('error', reportedByQueries);
  return {
    query: queryOn(pool),
    async transaction(work) {
      const client = await pool.connect().catch(rethrow);
      client.on('error', reportedByQueries);
      let failure: StoreError | undefined;
      try {
        return await transactionOn(client, work);
      } catch (error) {
        failure = translateError(error);
        throw failure;
      } finally {
        client.off('error', reportedByQueries);
        // A connection whose transaction failed is closed, which rolls it back.
        client.release(failure);
      }
    },
    dedicated: () => connect(new pg.Client(config)),
    close: () => pool.end(),
  };
}

async function connect(client: pg.Client): Promise<DedicatedConnection> {
  const ended = new Promise<void>((resolve) => {
    for (const event of ['error', 'end'] as const) client.on(event, () => resolve());
  });
  const close = () => client.end().catch(reportedByQueries);
  try {
    await client.connect();
  } catch (error) {
    void close();
    throw translateError(error);
  }
  const query = queryOn(client);
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = last.then(work, work);
    last = result.catch(reportedByQueries);
    return result;
  };
  return {
    query: (sql, values) => inTurn(() => query(sql, values)),
    transaction: (work) =>
      inTurn(async () => {
        try {
          return await transactionOn(client, work);
        } catch (error) {
          await query('ROLLBACK').catch(close);
          throw error;
        }
      }),
    ended,
    close,
  };
}

function queryOn(client: Pick<pg.ClientBase, 'query'>): RunQuery {
  return async <R>(sql: string, values?: readonly unknown[]) => {
    const result = await client.query(sql, values as unknown[]).catch(rethrow);
    return result.rows as R[];
  };
}

async function transactionOn<T>(client: pg.ClientBase, work: (query: RunQuery) => Promise<T>): Promise<T> {
  const query = queryOn(client);
  await query('BEGIN');
  const result = await work(query);
  await query('COMMIT');
  return result;
}

function rethrow(error: unknown): never {
  throw translateError(error);
}

/** A lost connection is an event besides the errors of its queries; without a listener it would end the process. */
function reportedByQueries(): void {}

const parserOf = ((oid: number, format?: 'text') =>
  oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser;
