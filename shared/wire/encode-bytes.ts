import type { NumberName, TextName } from '../sample/sample-columns.ts';
import {
  AT_COLUMN,
  BYTES_VERSION,
  COLUMN_HEAD_BYTES,
  HEADER,
  HEADER_BYTES,
  MAGIC,
  MAX_CODE_WIDTH,
  MAX_WIDTH,
  METRIC_COLUMN,
  METRIC_WIDTH,
  NO_CODE,
  NO_VALUE,
  NUMBER_COLUMNS,
  TEXT_COLUMNS,
} from './byte-layout.ts';
import type { WireBatch } from './wire-batch.ts';

type Column = readonly (number | null)[];

interface Dictionary {
  /** Of each string, in bytes. */
  readonly lengths: readonly number[];
  readonly bytes: Uint8Array;
}
const NO_STRINGS: Dictionary = { lengths: [], bytes: new Uint8Array(0) };

interface ByteColumn {
  readonly number: number;
  readonly width: number;
  readonly dictionary: Dictionary;
  /** One per row: what is stored, or the double of a metric. */
  readonly values: readonly number[];
}

/** Far more than a string may have. */
const MAX_STRING_BYTES = 2 ** 16 - 1;
/** The year 10889. */
const MAX_EPOCH_MS = 2 ** 48 - 1;

/**
 * A batch in version 2 of the wire (docs/wire-format.md). Its values mean the same as those of version 1; `version` is
 * ignored.
 *
 * @param utf8 TextEncoder.encode
 */
export function encodeBytes(batch: WireBatch, utf8: (text: string) => Uint8Array): Uint8Array<ArrayBuffer> {
  const { client, site, browser, browserVersion, extensionVersion, clockStep, status } = batch;
  const clientText = utf8(JSON.stringify({ client, site, browser, browserVersion, extensionVersion, clockStep }));
  const statusText = status === undefined ? new Uint8Array(0) : utf8(JSON.stringify(status));
  const columns = columnsOf(batch, utf8);
  const length = columns.reduce(
    (sum, column) => sum + COLUMN_HEAD_BYTES + lengthOf(column),
    HEADER_BYTES + clientText.length + statusText.length,
  );
  const bytes = new Uint8Array(length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint16(HEADER.version, BYTES_VERSION, true);
  view.setUint16(HEADER.n, batch.n, true);
  bytes.set(uuidBytes(batch.batch), HEADER.batch);
  setTime(view, HEADER.sentAt, batch.sentAt);
  setTime(view, HEADER.firstAt, batch.columns.at[0] ?? 0);
  view.setUint16(HEADER.columns, columns.length, true);
  view.setUint16(HEADER.client, clientText.length, true);
  view.setUint32(HEADER.status, statusText.length, true);
  bytes.set(clientText, HEADER_BYTES);
  bytes.set(statusText, HEADER_BYTES + clientText.length);
  let at = HEADER_BYTES + clientText.length + statusText.length;
  for (const column of columns) at = writeColumn(bytes, view, at, column);
  return bytes;
}

function columnsOf({ columns, dictionaries }: WireBatch, utf8: (text: string) => Uint8Array): ByteColumn[] {
  const encoded: ByteColumn[] = [];
  if (columns.at.length > 0) encoded.push(byteColumn(AT_COLUMN, columns.at.map(storedDelta), NO_STRINGS, MAX_WIDTH));
  for (const [name, number] of Object.entries(TEXT_COLUMNS) as [TextName, number][]) {
    const column = columns[name];
    if (column === undefined) continue;
    const strings = name === 'unknown' ? (dictionaries.unknown ?? []).map(textOfReasons) : (dictionaries[name] ?? []);
    const dictionary = encodeDictionary(strings, utf8);
    encoded.push(byteColumn(number, column.map(storedCode), dictionary, MAX_CODE_WIDTH));
  }
  // No time has the name of another column.
  const numbers: Partial<Record<NumberName, Column>> = { ...columns, ...columns.times };
  for (const [name, number] of Object.entries(NUMBER_COLUMNS) as [NumberName, number][]) {
    const column = numbers[name];
    if (column !== undefined) encoded.push(byteColumn(number, column.map(stored), NO_STRINGS, MAX_WIDTH));
  }
  for (const [name, column] of Object.entries(columns.metrics ?? {})) {
    const values = column.map((value) => value ?? Number.NaN);
    const dictionary = encodeDictionary([name], utf8);
    encoded.push({ number: METRIC_COLUMN, width: METRIC_WIDTH, dictionary, values });
  }
  return encoded;
}

function stored(value: number | null): number {
  if (value === null) return 0;
  return Number.isSafeInteger(value) && value >= 0 ? value + 1 : NO_VALUE;
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

function byteColumn(number: number, values: readonly number[], dictionary: Dictionary, maxWidth: number): ByteColumn {
  let width = 1;
  let above = 256;
  for (const value of values) {
    while (value >= above && width < maxWidth) {
      width++;
      above *= 256;
    }
  }
  return { number, width, dictionary, values };
}

/** One call for all strings if they are ASCII, as most are: a call costs more than the bytes of a string. */
function encodeDictionary(strings: readonly string[], utf8: (text: string) => Uint8Array): Dictionary {
  const joined = strings.join('');
  const bytes = utf8(joined);
  const isAscii = bytes.length === joined.length;
  if (isAscii && strings.every(({ length }) => length <= MAX_STRING_BYTES)) {
    return { lengths: strings.map(({ length }) => length), bytes };
  }
  const each = strings.map((text) => utf8(text).subarray(0, MAX_STRING_BYTES));
  const lengths = each.map(({ length }) => length);
  const all = new Uint8Array(lengths.reduce((sum, length) => sum + length, 0));
  let at = 0;
  for (const string of each) {
    all.set(string, at);
    at += string.length;
  }
  return { lengths, bytes: all };
}

function textOfReasons(reasons: object): string {
  return Object.entries(reasons)
    .map(([time, reason]) => `${time}=${reason}`)
    .join(' ');
}

/** Of everything after its head. */
function lengthOf({ width, dictionary: { lengths, bytes }, values }: ByteColumn): number {
  return 2 * lengths.length + bytes.length + width * values.length;
}

function writeColumn(bytes: Uint8Array, view: DataView, start: number, column: ByteColumn): number {
  const { number, width, dictionary, values } = column;
  bytes[start] = number;
  bytes[start + 1] = width;
  view.setUint16(start + 2, dictionary.lengths.length, true);
  view.setUint32(start + 4, lengthOf(column), true);
  let at = start + COLUMN_HEAD_BYTES;
  for (const length of dictionary.lengths) {
    view.setUint16(at, length, true);
    at += 2;
  }
  bytes.set(dictionary.bytes, at);
  at += dictionary.bytes.length;
  if (number === METRIC_COLUMN) {
    for (const value of values) {
      view.setFloat64(at, value, true);
      at += METRIC_WIDTH;
    }
    return at;
  }
  for (let plane = 0; plane < width; plane++) {
    // Shifts take 32 bits, of however large a number.
    const [divisor, shift] = plane < 4 ? [1, 8 * plane] : [2 ** 32, 8 * plane - 32];
    for (const value of values) bytes[at++] = (value / divisor) >>> shift;
  }
  return at;
}

function setTime(view: DataView, offset: number, time: number | null): void {
  const whole = isTime(time) ? time : MAX_EPOCH_MS;
  view.setUint32(offset, whole >>> 0, true);
  view.setUint16(offset + 4, Math.floor(whole / 2 ** 32), true);
}

function uuidBytes(uuid: string): Uint8Array {
  const digits = uuid.replaceAll('-', '');
  return Uint8Array.from({ length: 16 }, (_, byte) => Number.parseInt(digits.slice(2 * byte, 2 * byte + 2), 16));
}
