import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import type { ClickHouseAddress } from './clickhouse-address.ts';
import { type NativeBlock, readNative } from './native-reader.ts';
import type { QueryThreadData, Statement, StatementAnswer, StatementRequest } from './query-thread.mjs';
import { translateError } from './translate-error.ts';

/** How often a waiting thread looks whether its job was cancelled, ms. */
const POLL_EVERY_MS = 50;

export interface BegunStatement {
  /** May be called once. */
  answer(): NativeBlock;
  /** Ends it at the server, unless it was answered. */
  drop(): void;
}

/** Statements, answered before the next line runs unless they are only begun. Throws a StoreError. */
export interface ClickHouse {
  /** @param sql without FORMAT */
  select(sql: string, params?: Statement['params'], settings?: Statement['settings']): NativeBlock;
  /** The same, but begins at once and waits only when it is asked for the answer. */
  begin(sql: string, params?: Statement['params'], settings?: Statement['settings']): BegunStatement;
  /** @param body must not change until it is answered @param meanwhile called once it is on its way */
  insert(sql: string, body: Uint8Array, settings?: Statement['settings'], meanwhile?: () => void): void;
  run(sql: string, params?: Statement['params']): void;
  /** Removes rows so that the next statement does not see them, on each replica if the table has several. */
  deleteRows(table: string, condition: string, params?: Statement['params']): void;
  close(): void;
}

/**
 * Rollups and samples are read by synchronous code, in threads that may wait. Another thread talks HTTP meanwhile. The first
 * statement starts it.
 *
 * @param checkpoint called while waiting; throws once the job is cancelled, which ends the statement at the server too
 */
export function openClickHouse(address: ClickHouseAddress, checkpoint: () => void): ClickHouse {
  const signal = new SharedArrayBuffer(4);
  const flag = new Int32Array(signal);
  let open: { readonly worker: Worker; readonly port: MessageChannel['port1'] } | null = null;
  let last = 0;
  const answers = new Map<number, StatementAnswer>();
  const dropped = new Set<number>();

  function start() {
    const { port1, port2 } = new MessageChannel();
    const data: QueryThreadData = { ...address, signal, port: port2 };
    const worker = new Worker(new URL('./query-thread.mjs', import.meta.url), {
      workerData: data,
      transferList: [port2],
    });
    worker.unref();
    port1.unref();
    open = { worker, port: port1 };
    return open;
  }

  /** @returns its id */
  function send(statement: Statement): number {
    const { port } = open ?? start();
    const id = ++last;
    port.postMessage({ id, statement } satisfies StatementRequest);
    return id;
  }

  function end(id: number): void {
    open?.port.postMessage({ id, statement: null } satisfies StatementRequest);
  }

  function takeAnswers(): void {
    for (;;) {
      const received = open === null ? undefined : receiveMessageOnPort(open.port);
      if (received === undefined) return;
      const answer: StatementAnswer = received.message;
      if (!dropped.delete(answer.id)) answers.set(answer.id, answer);
    }
  }

  function answerOf(id: number, isQuestion: boolean): Uint8Array {
    let cancelled: unknown = null;
    for (;;) {
      const before = Atomics.load(flag, 0);
      takeAnswers();
      if (answers.has(id)) break;
      if (Atomics.wait(flag, 0, before, POLL_EVERY_MS) !== 'timed-out' || cancelled !== null) continue;
      try {
        checkpoint();
      } catch (error) {
        cancelled = error;
        end(id);
      }
    }
    const { bytes, failure } = answers.get(id) as StatementAnswer;
    answers.delete(id);
    if (cancelled !== null) throw cancelled;
    if (bytes === undefined) throw translateError(failure ?? { code: '', message: 'no answer' }, isQuestion);
    return bytes;
  }

  function write(statement: Statement, meanwhile?: () => void): void {
    const id = send({ ...statement, settings: { ...INSERT_AT_ONCE, ...statement.settings } });
    meanwhile?.();
    answerOf(id, false);
  }

  const question = (sql: string, params: Statement['params'], settings?: Statement['settings']): Statement => ({
    sql: `${sql} FORMAT Native`,
    params,
    settings: { ...LIMITS, ...settings },
  });

  return {
    select: (sql, params, settings) => readNative(answerOf(send(question(sql, params, settings)), true)),
    begin(sql, params, settings) {
      const id = send(question(sql, params, settings));
      let isOver = false;
      return {
        answer() {
          isOver = true;
          return readNative(answerOf(id, true));
        },
        drop() {
          if (isOver) return;
          isOver = true;
          takeAnswers();
          if (answers.delete(id)) return;
          dropped.add(id);
          end(id);
        },
      };
    },
    insert: (sql, body, settings, meanwhile) => write({ sql: `${sql} FORMAT Native`, body, settings }, meanwhile),
    run: (sql, params) => write({ sql, params }),
    deleteRows: (table, condition, params) =>
      write({ sql: `ALTER TABLE ${table} DELETE WHERE ${condition} SETTINGS mutations_sync = 2`, params }),
    close() {
      void open?.worker.terminate();
      open = null;
      answers.clear();
      dropped.clear();
    },
  };
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
