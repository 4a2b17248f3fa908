import type { ClientInfo } from '../sample/sample.ts';
import type { OTHER_NUMBERS } from '../sample/sample-columns.ts';
import type { TimeName } from '../vocabulary/time-names.ts';
import type {
  Connection,
  Exclusion,
  Handshake,
  ResourceType,
  ResponseMark,
  Scheme,
  UnknownReason,
} from '../vocabulary/vocabulary.ts';
import type { BrowserStatus } from './browser-status.ts';
import type { RowCode } from './wire-codes.ts';

export const WIRE_VERSION = 1;

/**
 * `POST /api/v1/batches`: one array per column, all of length `n`, described field by field in docs/wire-format.md. Columns
 * named in `dictionaries` hold indexes into that dictionary; values of the closed vocabulary use such dictionaries too, so
 * that a new value never changes the format. `browser` is an engine: the others occur in recordings alone, and the collector
 * refuses them here.
 */
export interface WireBatch extends ClientInfo {
  readonly version: typeof WIRE_VERSION;
  /** UUID; a batch sent again is acknowledged and not stored again. */
  readonly batch: string;
  /**
   * The browser's wall clock at this attempt to send, epoch ms: the collector corrects `at` by it. Set it at each attempt;
   * an old value would shift a batch kept for an hour by that hour.
   */
  readonly sentAt: number;
  readonly n: number;
  /** The browser's status. Since 0.1.0; may be absent. */
  readonly status?: BrowserStatus;
  /** An unused dictionary may be left out. */
  readonly dictionaries: Partial<WireDictionaries>;
  readonly columns: WireColumns;
}

export interface WireDictionaries {
  readonly target: readonly string[];
  readonly host: readonly string[];
  readonly scheme: readonly Scheme[];
  readonly template: readonly string[];
  readonly type: readonly ResourceType[];
  readonly protocol: readonly string[];
  readonly source: readonly string[];
  readonly connection: readonly Connection[];
  readonly connectionEvidence: readonly string[];
  readonly handshake: readonly Handshake[];
  readonly handshakeEvidence: readonly string[];
  readonly excluded: readonly Exclusion[];
  readonly error: readonly string[];
  /** What ended `wait`; null for the ordinary `response_start`. */
  readonly responseMark: readonly ResponseMark[];
  /** One item per distinct combination: `{"tls":"plain_http"}`. */
  readonly unknown: readonly Readonly<Partial<Record<TimeName, UnknownReason>>>[];
  readonly tlsVersion: readonly string[];
  readonly tlsCipher: readonly string[];
  readonly tlsKeyExchange: readonly string[];
  readonly tlsIssuer: readonly string[];
  readonly journey: readonly string[];
}

type Column = readonly (number | null)[];

/**
 * `at` is delta-coded (ms; the first value is absolute). Times are whole µs; sizes bytes; idle ms. `tls` is not among the
 * TLS columns' names because it is a time. A column that is null in every row may be left out.
 */
export interface WireColumns extends Partial<Record<keyof WireDictionaries | (typeof OTHER_NUMBERS)[number], Column>> {
  readonly at: Column;
  readonly times: Readonly<Partial<Record<TimeName, Column>>>;
  /** Allow-listed Server-Timing metrics, one column per name. */
  readonly metrics?: Readonly<Record<string, Column>>;
}

export interface RejectedRow {
  readonly row: number;
  /** Stable code, such as `negative_time`; the list is in docs/wire-format.md. */
  readonly code: RowCode;
}

export interface BatchAnswer {
  readonly batch: string;
  /** This id was stored before: its rows are not stored again, and `accepted` is 0. */
  readonly duplicate: boolean;
  /** Rows stored by this request. */
  readonly accepted: number;
  readonly rejected: readonly RejectedRow[];
}
