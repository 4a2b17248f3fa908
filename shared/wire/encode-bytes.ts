import type { NumberName, TextName } from '../sample/sample-columns.ts';
import { MAX_STRING_LENGTH } from '../vocabulary/wire-limits.ts';
import {
  AT_COLUMN,
  BYTES_VERSION,
  COLUMN_HEAD_BYTES,
  HEADER,
  HEADER_BYTES,
  MAGIC,
  METRIC_COLUMN,
  METRIC_WIDTH,
  NO_CODE,
  NO_VALUE,
  NUMBER_COLUMNS,
  TEXT_COLUMNS,
} from './byte-layout.ts';
import type { WireBatch } from './wire-batch.ts';

type Column = readonly (number | null)[];
/** TextEncoder.encode */
type Utf8 = (text: string) => Uint8Array;

interface ByteColumn {
  readonly number: number;
  readonly width: number;
  /** Of each string, in bytes. */
  readonly lengths: readonly number[];
  readonly strings: readonly Uint8Array[];
  /** One per row: what is stored, or the double of a metric. */
  readonly values: readonly number[];
  /** Of everything after its head, in bytes. */
  readonly length: number;
}

/** The year 10889. */
const MAX_EPOCH_MS = 2 ** 48 - 1;

/**
 * A batch in version 2 of the wire (docs/wire-format.md). Its values mean the same as those of version 1; `version` is
 * ignored.
 */
export function encodeBytes(batch: WireBatch, utf8: Utf8): Uint8Array<ArrayBuffer> {
  const { client, site, browser, browserVersion, extensionVersion, clockStep, status } = batch;
  const clientText = utf8(JSON.stringify({ client, site, browser, browserVersion, extensionVersion, clockStep }));
  const statusText = utf8(status === undefined ? '' : JSON.stringify(status));
  const columns = columnsOf(batch, utf8);
  const start = HEADER_BYTES + clientText.length + statusText.length;
  const bytes = new Uint8Array(columns.reduce((sum, { length }) => sum + COLUMN_HEAD_BYTES + length, start));
  put(bytes, 0, 4, MAGIC);
  put(bytes, HEADER.version, 2, BYTES_VERSION);
  put(bytes, HEADER.n, 2, batch.n);
  bytes.set(
    (batch.batch.match(/[^-]{2}/g) ?? []).map((digits) => Number.parseInt(digits, 16)),
    HEADER.batch,
  );
  put(bytes, HEADER.sentAt, 6, epochMs(batch.sentAt));
  put(bytes, HEADER.firstAt, 6, epochMs(batch.columns.at[0] ?? 0));
  put(bytes, HEADER.columns, 2, columns.length);
  put(bytes, HEADER.client, 2, clientText.length);
  put(bytes, HEADER.status, 4, statusText.length);
  bytes.set(clientText, HEADER_BYTES);
  bytes.set(statusText, start - statusText.length);
  let at = start;
  for (const column of columns) at = putColumn(bytes, at, column);
  return bytes;
}

function columnsOf({ columns, dictionaries }: WireBatch, utf8: Utf8): ByteColumn[] {
  const encoded: ByteColumn[] = [];
  const add = (number: number, width: number, values: readonly number[], texts: readonly string[] = []) => {
    const { lengths, strings } = encodeStrings(texts, utf8);
    const length = lengths.reduce((sum, size) => sum + 2 + size, width * values.length);
    encoded.push({ number, width, lengths, strings, values, length });
  };
  const addWhole = (number: number, values: readonly number[] | undefined, texts?: readonly string[]) => {
    if (values !== undefined) add(number, values.every(isZero) ? 0 : widthOf(values), values, texts);
  };
  const deltas = columns.at.map(storedDelta);
  if (deltas.length > 0) add(AT_COLUMN, widthOf(deltas), deltas);
  for (const [name, number] of Object.entries(TEXT_COLUMNS) as [TextName, number][]) {
    const texts = name === 'unknown' ? dictionaries.unknown?.map(textOfReasons) : dictionaries[name];
    addWhole(number, columns[name]?.map(storedCode), texts);
  }
  // No time has the name of another column.
  const numbers: Partial<Record<NumberName, Column>> = { ...columns, ...columns.times };
  for (const [name, number] of Object.entries(NUMBER_COLUMNS) as [NumberName, number][]) {
    addWhole(number, numbers[name]?.map(stored));
  }
  for (const [name, column] of Object.entries(columns.metrics ?? {})) {
    add(
      METRIC_COLUMN,
      METRIC_WIDTH,
      column.map((value) => value ?? Number.NaN),
      [name],
    );
  }
  return encoded;
}

function stored(value: number | null): number {
  if (value === null) return 0;
  return Number.isSafeInteger(value) && value >= 0 ? value + 1 : NO_VALUE;
}

function isZero(value: number): boolean {
  return value === 1;
}

function storedCode(index: number | null): number {
  return Math.min(stored(index), NO_CODE);
}

/** The first row's time is in the header. */
function storedDelta(delta: number | null, row: number): number {
  if (row === 0) return isTime(delta) ? 0 : NO_VALUE;
  if (delta === null || !Number.isSafeInteger(delta)) return NO_VALUE;
  return Math.min(delta < 0 ? -2 * delta - 1 : 2 * delta, NO_VALUE);
}

function isTime(value: number | null): value is number {
  return value !== null && Number.isInteger(value) && value >= 0 && value <= MAX_EPOCH_MS;
}

function epochMs(time: number | null): number {
  return isTime(time) ? time : MAX_EPOCH_MS;
}

function textOfReasons(reasons: object): string {
  return Object.entries(reasons)
    .map(([time, reason]) => `${time}=${reason}`)
    .join(' ');
}

/** One call for all strings if they are ASCII, as most are: a call costs more than the bytes of a string. */
function encodeStrings(texts: readonly string[], utf8: Utf8): Pick<ByteColumn, 'lengths' | 'strings'> {
  if (texts.length === 0) return { lengths: [], strings: [] };
  // What is cut is still too long to be accepted.
  const cut = texts.map((text) => text.slice(0, MAX_STRING_LENGTH + 1));
  const joined = cut.join('');
  const together = utf8(joined);
  const isAscii = together.length === joined.length;
  const strings = isAscii ? [together] : cut.map(utf8);
  return { lengths: (isAscii ? cut : strings).map(({ length }) => length), strings };
}

function widthOf(values: readonly number[]): number {
  let width = 1;
  let above = 256;
  for (const value of values) {
    while (value >= above) {
      width++;
      above *= 256;
    }
  }
  return width;
}

/** @returns where the next column begins */
function putColumn(bytes: Uint8Array, start: number, column: ByteColumn): number {
  const { number, width, lengths, strings, values, length } = column;
  bytes[start] = number;
  bytes[start + 1] = width;
  put(bytes, start + 2, 2, lengths.length);
  put(bytes, start + 4, 4, length);
  let at = start + COLUMN_HEAD_BYTES;
  for (const size of lengths) {
    bytes[at++] = size;
    bytes[at++] = size >>> 8;
  }
  for (const string of strings) {
    bytes.set(string, at);
    at += string.length;
  }
  if (number !== METRIC_COLUMN) return putPlanes(bytes, at, width, values);
  const view = new DataView(bytes.buffer, at);
  for (const [row, value] of values.entries()) view.setFloat64(METRIC_WIDTH * row, value, true);
  return start + COLUMN_HEAD_BYTES + length;
}

/** The lowest byte of each value, then the next of each. */
function putPlanes(bytes: Uint8Array, start: number, width: number, values: readonly number[]): number {
  let at = start;
  // Shifts are faster than divisions, and take 32 bits.
  for (let plane = 0; plane < Math.min(width, 4); plane++) {
    const shift = 8 * plane;
    for (let row = 0; row < values.length; row++) bytes[at++] = (values[row] as number) >>> shift;
  }
  for (let plane = 4; plane < width; plane++) {
    const unit = 256 ** plane;
    for (const value of values) bytes[at++] = value / unit;
  }
  return at;
}

/** Little-endian. @returns where the next value begins */
function put(bytes: Uint8Array, start: number, width: number, value: number): number {
  let rest = value;
  for (let at = start; at < start + width; at++, rest = Math.floor(rest / 256)) bytes[at] = rest;
  return start + width;
}
