import { PHASES, type Phase } from '../../shared/vocabulary/time-names.ts';

/** What became of a request, as far as findings tell them apart; `cured` where a finding has taken it away. */
export const OUTCOMES = [
  'usable',
  'opaque',
  'cache',
  'error',
  'redirected',
  'challenged',
  'failed',
  'worker',
  'cured',
] as const;
export type Outcome = (typeof OUTCOMES)[number];
export const OUTCOME = Object.fromEntries(OUTCOMES.map((name, code) => [name, code])) as Readonly<
  Record<Outcome, number>
>;

export const TABLE_TIMES = [...PHASES, 'redirect', 'ttlb'] as const;
export type TableTime = Phase | 'redirect' | 'ttlb';

/** Codes of `handshake`: only what the server itself told counts. */
export const HANDSHAKE = { unknown: 0, resumed: 1, full: 2 } as const;
/** Codes of `connection`. */
export const CONNECTION = { other: 0, new: 1, reused: 2 } as const;

/** Codes of `tls`, which only Firefox reports. */
export const TLS = { unknown: 0, before13: 1, from13: 2 } as const;

/** What is asked of which host for which app. */
export interface RequestGroup {
  readonly target: string;
  readonly host: string;
  readonly template: string;
  readonly type: string;
}

export interface TableBrowser {
  readonly client: string;
  readonly site: string | null;
  readonly engine: string;
  /** Major version of the browser. */
  readonly version: string;
}

/** Requests of pages, one row each, with only what findings are made from. Times are ms, NaN if unknown. */
export interface RequestTable {
  readonly n: number;
  /** Epoch ms. */
  readonly at: Float64Array;
  readonly groups: readonly RequestGroup[];
  readonly group: Int32Array;
  readonly browsers: readonly TableBrowser[];
  readonly browser: Int32Array;
  /** By OUTCOME. */
  readonly outcome: Uint8Array;
  readonly connection: Uint8Array;
  readonly handshake: Uint8Array;
  /** Version by TLS. */
  readonly tls: Uint8Array;
  readonly protocols: readonly string[];
  /** −1 if unknown, like `issuer`. */
  readonly protocol: Int32Array;
  readonly issuers: readonly string[];
  readonly issuer: Int32Array;
  /** Bytes of the encoded body. */
  readonly size: Float32Array;
  /** Since this browser's last answer from the same origin. */
  readonly idle: Float32Array;
  readonly times: Readonly<Record<TableTime, Float32Array>>;
}
