import type { NumberName, TextName } from '../sample/sample-columns.ts';

/** Version 2 of the wire, byte by byte in docs/wire-format.md. */
export const BYTES_VERSION = 2;
export const BYTES_CONTENT_TYPE = 'application/vnd.lastbyte.batch';

/** `LSTB` as the first four bytes, little-endian. */
export const MAGIC = 0x4254534c;
export const HEADER_BYTES = 44;
export const COLUMN_HEAD_BYTES = 8;
/** Offsets in the header. */
export const HEADER = {
  version: 4,
  n: 6,
  batch: 8,
  sentAt: 24,
  firstAt: 30,
  columns: 36,
  client: 38,
  status: 40,
} as const;

/** Of a column with a dictionary, and of any other. */
export const MAX_CODE_WIDTH = 2;
export const MAX_WIDTH = 7;
export const METRIC_WIDTH = 8;

/** Stored for what a column can't hold, such as a negative time. No rule accepts it. */
export const NO_VALUE = 2 ** 53;
/** The same for an index. */
export const NO_CODE = 2 ** 16 - 1;

/** Numbers of columns: never changed or used again. */
export const AT_COLUMN = 1;
export const TEXT_COLUMNS: Readonly<Record<TextName, number>> = {
  target: 16,
  host: 17,
  scheme: 18,
  template: 19,
  type: 20,
  protocol: 21,
  source: 22,
  connection: 23,
  connectionEvidence: 24,
  handshake: 25,
  handshakeEvidence: 26,
  excluded: 27,
  error: 28,
  unknown: 29,
  responseMark: 30,
  tlsVersion: 31,
  tlsCipher: 32,
  tlsKeyExchange: 33,
  tlsIssuer: 34,
};
export const NUMBER_COLUMNS: Readonly<Record<NumberName, number>> = {
  blocked: 64,
  dns: 65,
  tcp: 66,
  tls: 67,
  wait: 68,
  receive: 69,
  redirect: 70,
  ttfb: 71,
  ttlb: 72,
  status: 80,
  transferSize: 81,
  encodedBodySize: 82,
  decodedBodySize: 83,
  idleMs: 84,
  serverTime: 85,
};
export const METRIC_COLUMN = 128;
