import { addAbortSignal, Readable } from 'node:stream';
import { ClickHouseLogLevel, createClient } from '@clickhouse/client';
import type { ClickHouseAddress } from './clickhouse-address.ts';
import { type NativeBlock, readNative } from './native-reader.ts';
import { type StatementFailure, translateError } from './translate-error.ts';

/** How often a waiting statement looks whether its job was cancelled, ms. */
const POLL_EVERY_MS = 50;
/** An idle connection is closed before the server closes it: it keeps them for 10 s by default (keep_alive_timeout), ms. */
const IDLE_SOCKET_MS = 2500;
/** Beyond this, a statement that the server should have ended by itself has failed, ms. */
const REQUEST_MS = 600_000;
/** Bytes of an INSERT that are handed to the connection at once. */
const SLICE = 2 ** 18;

type Parameters = Readonly<Record<string, number | string | readonly string[] | readonly number[]>>;
type Settings = Readonly<Record<string, number | string>>;

/** A statement and the values bound to it. */
export interface Bound {
  readonly sql: string;
  readonly params: Parameters;
}

export interface BegunStatement {
  readonly answer: Promise<NativeBlock>;
  /** Ends it at the server, unless it was answered. */
  drop(): void;
}

/** Rejects with a StoreError. */
export interface ClickHouse {
  /** @param sql without FORMAT */
  select(sql: string, params?: Parameters, settings?: Settings): Promise<NativeBlock>;
  /** The same, for an answer that may not be needed. */
  begin(sql: string, params?: Parameters, settings?: Settings): BegunStatement;
  /** @param body must not change until it is answered @param meanwhile called once the connection has all of it */
  insert(sql: string, body: Uint8Array, settings?: Settings, meanwhile?: () => void): Promise<void>;
  run(sql: string, params?: Parameters): Promise<void>;
  /** Removes rows so that the next statement does not see them, on each replica if the table has several. */
  deleteRows(table: string, condition: string, params?: Parameters): Promise<void>;
  close(): void;
}

interface Statement extends Bound {
  readonly settings: Settings;
  /** The data of an INSERT. */
  readonly body?: Readable;
}

/** @param checkpoint called while waiting; throws once the job is cancelled, which ends the statement at the server too */
export function openClickHouse(
  { url, user, password, database }: ClickHouseAddress,
  checkpoint: () => void,
): ClickHouse {
  const client = createClient({
    url,
    username: user,
    password,
    database,
    application: 'lastbyte',
    request_timeout: REQUEST_MS,
    // Timers that close idle connections are late while a job computes.
    keep_alive: { enabled: true, idle_socket_ttl: IDLE_SOCKET_MS, eagerly_destroy_stale_sockets: true },
    // The caller reports failures; the client would log each a second time.
    log: { level: ClickHouseLogLevel.OFF },
  });

  async function execute(statement: Statement, isQuestion: boolean, ended: AbortController): Promise<Uint8Array> {
    const { sql, params, settings, body } = statement;
    const poll = setInterval(() => {
      try {
        checkpoint();
      } catch (error) {
        ended.abort(error);
      }
    }, POLL_EVERY_MS);
    try {
      const { stream } = await client.exec({
        query: sql,
        query_params: params,
        clickhouse_settings: settings,
        abort_signal: ended.signal,
        ...(body === undefined ? {} : { values: body }),
      });
      // The client itself heeds the signal only until the answer begins.
      addAbortSignal(ended.signal, stream);
      const chunks: Uint8Array[] = [];
      for await (const chunk of stream) chunks.push(chunk);
      const { buffer, byteOffset, length } = Buffer.concat(chunks);
      // Not a Buffer, whose slices are no copies.
      return new Uint8Array(buffer, byteOffset, length);
    } catch (error) {
      ended.signal.throwIfAborted();
      throw translateError(failureOf(error), isQuestion);
    } finally {
      clearInterval(poll);
    }
  }

  async function question(
    sql: string,
    params: Parameters = {},
    settings: Settings = {},
    ended = new AbortController(),
  ) {
    const statement = { sql: `${sql} FORMAT Native`, params, settings: { ...LIMITS, ...settings } };
    return readNative(await execute(statement, true, ended));
  }

  async function write(sql: string, params: Parameters = {}, settings: Settings = {}, body?: Readable): Promise<void> {
    const statement = { sql, params, settings: { ...INSERT_AT_ONCE, ...settings }, ...(body && { body }) };
    await execute(statement, false, new AbortController());
  }

  return {
    select: (sql, params, settings) => question(sql, params, settings),
    begin(sql, params, settings) {
      const ended = new AbortController();
      let isOver = false;
      const answer = question(sql, params, settings, ended).finally(() => {
        isOver = true;
      });
      // Awaiting the answer reports a failure; if it was dropped, nothing awaits it.
      answer.catch(() => {});
      return { answer, drop: () => (isOver ? undefined : ended.abort()) };
    },
    insert(sql, bytes, settings, meanwhile = () => {}) {
      const body = Readable.from(slicesOf(bytes), { objectMode: false });
      body.once('end', () => setImmediate(meanwhile));
      return write(`${sql} FORMAT Native`, {}, settings, body);
    },
    run: (sql, params) => write(sql, params),
    deleteRows: (table, condition, params) =>
      write(`ALTER TABLE ${table} DELETE WHERE ${condition} SETTINGS mutations_sync = 2`, params),
    close: () => void client.close(),
  };
}

function failureOf(error: unknown): StatementFailure {
  if (!(error instanceof Error)) return { code: '', message: String(error) };
  return { code: 'code' in error ? String(error.code) : '', message: error.message };
}

function* slicesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += SLICE) yield bytes.subarray(from, from + SLICE);
}

/** A block is answered once it is stored, by itself: servers from 26.2 on would put several together. */
const INSERT_AT_ONCE = { async_insert: 0 } as const;

/** Limits of each statement of a question, so that none can occupy the server. */
const LIMITS = {
  readonly: 2,
  max_execution_time: 120,
  max_memory_usage: 4 * 2 ** 30,
  // The client is told of a failure, even if some of the answer was already there.
  wait_end_of_query: 1,
  cancel_http_readonly_queries_on_client_close: 1,
  // The answer is written in blocks of this size.
  max_block_size: 65_409,
} as const;
