import { TIME_NAMES } from '../vocabulary/time-names.ts';
import type { StoredClientInfo } from './sample.ts';

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

/** One item per name in TEXT_NAMES or NUMBER_NAMES, in that order: array access is faster than property lookup. */
export type ByIndex<Column> = readonly (Column | undefined)[];
export const TEXT_INDEX = indexesByName(TEXT_NAMES);
export const NUMBER_INDEX = indexesByName(NUMBER_NAMES);

function indexesByName<Name extends string>(names: readonly Name[]): Readonly<Record<Name, number>> {
  return Object.fromEntries(names.map((name, index) => [name, index])) as Record<Name, number>;
}

/** What stands in a typed column where the value is not known: no column holds negative values. */
export const NULL = -1;

/** One for each entry of a list: two of the same `edition` are alike if and only if their texts are. */
export interface EntryNumbers {
  readonly edition: number;
  readonly of: readonly number[];
}

export interface TextColumn {
  readonly entries: readonly string[];
  /** Where the reader remembers every entry. Small ones, so that a list may have a place for each. */
  readonly numbers?: EntryNumbers | undefined;
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
  readonly origins: readonly StoredClientInfo[];
  origin(): Int32Array;
  text(name: TextName): TextColumn;
  /** NULL where unknown. */
  number(name: NumberName): Float64Array;
  /** Names of Server-Timing metrics that any row has. */
  readonly metricNames: readonly string[];
  /** Any number; NaN where a row has no such metric. */
  metric(name: string): Float64Array;
}
