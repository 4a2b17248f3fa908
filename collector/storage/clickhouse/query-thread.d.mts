import type { MessagePort } from 'node:worker_threads';

/** What the thread is started with. */
export interface QueryThreadData {
  /** Such as `http://ch1:8123`. */
  readonly url: string;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  /** One 32-bit number, raised with each answer. */
  readonly signal: SharedArrayBuffer;
  /** Requests come in, answers go out, not necessarily in the same order. */
  readonly port: MessagePort;
}

export interface Statement {
  readonly sql: string;
  readonly params?: Readonly<Record<string, number | string | readonly string[] | readonly number[]>> | undefined;
  readonly settings?: Readonly<Record<string, number | string>> | undefined;
  /** The data of an INSERT. */
  readonly body?: Uint8Array;
}

/** Null ends the statement with this id, which is still answered. */
export interface StatementRequest {
  readonly id: number;
  readonly statement: Statement | null;
}

export interface StatementAnswer {
  readonly id: number;
  readonly bytes?: Uint8Array;
  readonly failure?: {
    /** A number if the server refused, otherwise a code such as ECONNREFUSED, or nothing. */
    readonly code: string;
    readonly message: string;
  };
}
