import { TIME_NAMES, type TimeName } from '../../shared/vocabulary/time-names.ts';
import type {
  BrowserEngine,
  Connection,
  ConnectionEvidence,
  Exclusion,
  Handshake,
  HandshakeEvidence,
  ResourceType,
  ResponseMark,
  Scheme,
  UnknownReason,
} from '../../shared/vocabulary/vocabulary.ts';
import { batchId } from '../../shared/wire/encode-batch.ts';
import type { WireBatch, WireColumns } from '../../shared/wire/wire-batch.ts';
import type { RandomStream } from './random-stream.ts';

const TEXTS = [
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
  'responseMark',
  'tlsVersion',
  'tlsIssuer',
] as const;
const NUMBERS = ['status', 'transferSize', 'encodedBodySize', 'decodedBodySize', 'idleMs', 'serverTime'] as const;
const EXTENSION_VERSION = '0.1.0';

export type Times = Record<TimeName, number | null>;
export type Reasons = Partial<Record<TimeName, UnknownReason>>;

/** One request as the extension would send it. */
export interface Row {
  /** Epoch ms, whole. */
  readonly at: number;
  readonly target: string;
  readonly host: string;
  readonly scheme: Scheme;
  readonly template: string;
  readonly type: ResourceType;
  readonly source: string;
  readonly protocol: string | null;
  readonly connection: Connection;
  readonly connectionEvidence: ConnectionEvidence;
  readonly handshake: Handshake;
  readonly handshakeEvidence: HandshakeEvidence | null;
  readonly excluded: Exclusion | null;
  readonly error: string | null;
  readonly responseMark: ResponseMark | null;
  readonly times: Times;
  readonly unknown: Reasons;
  readonly tlsVersion: string | null;
  readonly tlsIssuer: string | null;
  readonly status: number | null;
  readonly transferSize: number | null;
  readonly encodedBodySize: number | null;
  readonly decodedBodySize: number | null;
  readonly idleMs: number | null;
  readonly serverTime: number | null;
}

/** Who sends a batch. */
export interface Sender {
  readonly site: { readonly name: string };
  readonly engine: BrowserEngine;
  readonly fullVersion: string;
  /** µs. */
  readonly clockStep: number;
}

/** The rows as one batch of the browser, sent at that moment. */
export function writeBatch(
  browser: Sender,
  client: string,
  rows: readonly Row[],
  sentAt: number,
  random: RandomStream,
): WireBatch {
  const dictionaries: Record<string, readonly unknown[]> = {};
  const columns: Record<string, unknown> = {
    at: rows.map(({ at }, i) => at - (i === 0 ? 0 : (rows[i - 1] as Row).at)),
  };
  for (const name of TEXTS) {
    const { entries, indexes } = indexed(rows, (row) => row[name]);
    if (entries.length === 0) continue;
    dictionaries[name] = entries;
    columns[name] = indexes;
  }
  const unknown = indexed(rows, ({ unknown: reasons }) => reasonsKey(reasons));
  if (unknown.entries.length > 0) {
    dictionaries.unknown = unknown.entries.map((key) => REASONS.get(key));
    columns.unknown = unknown.indexes;
  }
  for (const name of NUMBERS) columns[name] = rows.map((row) => row[name]);
  columns.times = Object.fromEntries(TIME_NAMES.map((name) => [name, rows.map(({ times }) => times[name])]));
  return {
    version: 1,
    batch: batchId(sentAt, uuid(random)),
    client,
    site: browser.site.name,
    browser: browser.engine,
    browserVersion: browser.fullVersion,
    extensionVersion: EXTENSION_VERSION,
    clockStep: browser.clockStep,
    sentAt,
    n: rows.length,
    dictionaries,
    columns: columns as unknown as WireColumns,
  };
}

/** Each combination once. */
const REASONS = new Map<string, Reasons>();

function reasonsKey(reasons: Reasons): string | null {
  let key = '';
  for (const name in reasons) key += `${name}=${reasons[name as keyof Reasons]} `;
  if (key === '') return null;
  if (!REASONS.has(key)) REASONS.set(key, reasons);
  return key;
}

function indexed(rows: readonly Row[], read: (row: Row) => string | null) {
  const places = new Map<string, number>();
  const indexes = rows.map((row) => {
    const text = read(row);
    if (text === null) return null;
    const place = places.get(text) ?? places.size;
    if (place === places.size) places.set(text, place);
    return place;
  });
  return { entries: [...places.keys()], indexes };
}

export function uuid(random: RandomStream): string {
  const hex = (length: number) =>
    random
      .whole(2 ** 32)
      .toString(16)
      .padStart(8, '0')
      .slice(0, length);
  return `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(8)}${hex(4)}`;
}
