import { TIME_NAMES } from '../timing/time-names.ts';
import type { BatchOrigin } from './sample.ts';

/** Columns of words. Each holds places in a dictionary of its own; `unknown` holds `reasonsText`. */
export const TEXT_NAMES = [
  'target',
  'host',
  'scheme',
  'template',
  'type',
  'protocol',
  'source',
  'connection',
  'connectionEvidence',
  'handshake',
  'handshakeEvidence',
  'excluded',
  'error',
  'unknown',
  'responseMark',
  'tlsVersion',
  'tlsCipher',
  'tlsKeyExchange',
  'tlsIssuer',
] as const;
export type TextName = (typeof TEXT_NAMES)[number];

/** Columns of whole numbers: times in µs, sizes in bytes, `idleMs` in ms, `serverTime` in µs. */
export const NUMBER_NAMES = [
  ...TIME_NAMES,
  'status',
  'transferSize',
  'encodedBodySize',
  'decodedBodySize',
  'idleMs',
  'serverTime',
] as const;
export type NumberName = (typeof NUMBER_NAMES)[number];

/** What stands in a typed column where the value is not known: no column holds negative values. */
export const NULL = -1;

export interface TextColumn {
  readonly entries: readonly string[];
  /** A place in `entries` per row, or NULL. */
  readonly codes: Int32Array;
}

/**
 * Many samples as one typed array per column: what chunks are written from and queries read. A method, not a field, per
 * column, so that one read from a chunk is decoded only if somebody asks for it.
 */
export interface SampleColumns {
  readonly n: number;
  /** Epoch ms by the collector's clock. */
  at(): Float64Array;
  /** Distinct origins, and which one each row came from. */
  readonly origins: readonly BatchOrigin[];
  origin(): Int32Array;
  text(name: TextName): TextColumn;
  /** NULL where unknown. */
  number(name: NumberName): Float64Array;
  /** Names of Server-Timing metrics that any row has. */
  readonly metricNames: readonly string[];
  /** Any number; NaN where a row has no such metric. */
  metric(name: string): Float64Array;
}
