import type { MessagePort } from 'node:worker_threads';

/** What the thread is started with. */
export interface QueryThreadData {
  /** Addresses such as `http://ch1:8123`; the first that answers is used. */
  readonly hosts: readonly string[];
  readonly user: string;
  readonly password: string;
  readonly database: string;
  /** One 32-bit number, set to 1 with each answer. */
  readonly signal: SharedArrayBuffer;
  /** Statements come in, answers go out. */
  readonly port: MessagePort;
}

export interface Statement {
  readonly sql: string;
  readonly params?: Readonly<Record<string, number | string | readonly string[] | readonly number[]>> | undefined;
  readonly settings?: Readonly<Record<string, number | string>> | undefined;
  /** The data of an INSERT. */
  readonly body?: Uint8Array;
}

export interface StatementAnswer {
  readonly bytes?: Uint8Array;
  readonly failure?: {
    /** A number if the server refused, otherwise a code such as ECONNREFUSED, or nothing. */
    readonly code: string;
    readonly message: string;
  };
}
