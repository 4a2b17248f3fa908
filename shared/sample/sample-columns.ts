import { TIME_NAMES, type TimeName } from '../vocabulary/time-names.ts';
import type { UnknownReason } from '../vocabulary/vocabulary.ts';
import type { Sample, StoredClientInfo } from './sample.ts';

/** Columns of strings. Each holds indexes into its own dictionary; `unknown` holds `reasonsText`. */
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
  'journey',
] as const;
export type TextName = (typeof TEXT_NAMES)[number];

/** Columns of whole numbers besides times: sizes in bytes, `idleMs` in ms, `serverTime` in µs, `run` in epoch ms. */
export const OTHER_NUMBERS = [
  'status',
  'transferSize',
  'encodedBodySize',
  'decodedBodySize',
  'idleMs',
  'serverTime',
  'step',
  'run',
] as const;
export const NUMBER_NAMES = [...TIME_NAMES, ...OTHER_NUMBERS] as const;
export type NumberName = (typeof NUMBER_NAMES)[number];

/** One item per name in TEXT_NAMES or NUMBER_NAMES, in that order: array access is faster than property lookup. */
export type ByIndex<Column> = readonly (Column | undefined)[];
export const TEXT_INDEX = indexesByName(TEXT_NAMES);
export const NUMBER_INDEX = indexesByName(NUMBER_NAMES);

function indexesByName<Name extends string>(names: readonly Name[]): Readonly<Record<Name, number>> {
  return Object.fromEntries(names.map((name, index) => [name, index])) as Record<Name, number>;
}

/** Marks an unknown value in a typed column; no column has negative values. */
export const NULL = -1;

export interface TextColumn {
  readonly strings: readonly string[];
  /** An index into `strings` per row, or NULL. */
  readonly codes: Int32Array;
}

/**
 * Many samples as one typed array per column: chunks are written from it and queries read it. A column is a method rather
 * than a field, so that one read from a chunk is decoded only on demand.
 */
export interface SampleColumns {
  readonly n: number;
  /** Epoch ms by the collector's clock. */
  at(): Float64Array;
  /** Distinct clients, and which of them each row came from. */
  readonly origins: readonly StoredClientInfo[];
  origin(): Int32Array;
  text(name: TextName): TextColumn;
  /** NULL if unknown. */
  number(name: NumberName): Float64Array;
  /** Names of Server-Timing metrics that any row has. */
  readonly metricNames: readonly string[];
  /** Any number; NaN if a row has no such metric. */
  metric(name: string): Float64Array;
}

/**
 * Why times of one sample are null, as one dictionary string: `dns=firefox_dns tls=plain_http`. Times are in their fixed
 * order, so that the same reasons always give the same text. Empty if there are none.
 */
export function reasonsText(unknown: Sample['unknown']): string {
  let text = '';
  for (const name of TIME_NAMES) {
    const reason = unknown[name];
    if (reason !== undefined) text += text === '' ? `${name}=${reason}` : ` ${name}=${reason}`;
  }
  return text;
}

/** The inverse of `reasonsText`. */
export function parseReasons(text: string): Sample['unknown'] {
  const unknown: Partial<Record<TimeName, UnknownReason>> = {};
  for (const part of text.split(' ')) {
    const cut = part.indexOf('=');
    if (cut > 0) unknown[part.slice(0, cut) as TimeName] = part.slice(cut + 1) as UnknownReason;
  }
  return unknown;
}
