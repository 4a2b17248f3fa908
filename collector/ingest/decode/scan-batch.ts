import { ByteScanner, OtherShape, otherShape } from './byte-scanner.ts';
import type { ColumnBuffers } from './column-buffers.ts';
import { BATCH_LIMITS, BatchFault, type JsonObject } from './read-columns.ts';
import { type ScannedDictionaries, scanColumns, scanDictionaries, scanName } from './scan-columns.ts';

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** The members of a batch other than `n`, its dictionaries and its columns. */
const HEADER: ReadonlySet<string> = new Set([
  'version',
  'batch',
  'client',
  'site',
  'browser',
  'browserVersion',
  'extensionVersion',
  'clockStep',
  'sentAt',
  'status',
]);
/** Twice the size of the largest status; only the header of a batch is parsed. */
const MAX_HEADER_BYTES = 128 * 1024;

export interface ScannedBatch extends ReturnType<typeof scanColumns> {
  /** All known members but `dictionaries` and `columns`. */
  readonly header: JsonObject;
}

/**
 * Reads a batch from its bytes if they are as `JSON.stringify` writes the result of `encodeBatch`: `n` and the dictionaries
 * before the columns. Null for anything else, which may still be valid. `JSON.parse` would give the same batch.
 */
export function scanBatch(bytes: Buffer, buffers: ColumnBuffers): ScannedBatch | null {
  try {
    return scan(new ByteScanner(bytes), buffers);
  } catch (error) {
    if (error instanceof OtherShape || error instanceof BatchFault) return null;
    throw error;
  }
}

function scan(scanner: ByteScanner, buffers: ColumnBuffers): ScannedBatch {
  let n: number | null = null;
  let dictionaries: ScannedDictionaries | null = null;
  let scanned: ReturnType<typeof scanColumns> | null = null;
  let header = '';
  let copied = 0;
  /** Replaces a value that isn't parsed with a short one. */
  const leaveOut = (from: number, instead: string) => {
    if (header.length + from - copied > MAX_HEADER_BYTES) otherShape();
    header += `${scanner.textOf(copied, from)}${instead}`;
    copied = scanner.at;
  };

  scanner.take(OPEN_OBJECT);
  do {
    const { at: start } = scanner;
    const { kind, name } = scanName(scanner);
    const from = scanner.at;
    if (kind === 'n' && n === null) n = scanner.whole();
    else if (kind === 'dictionaries' && dictionaries === null) {
      dictionaries = scanDictionaries(scanner);
      leaveOut(from, '0');
    } else if (kind === 'columns' && scanned === null) {
      if (n === null || n > BATCH_LIMITS.rows || dictionaries === null) otherShape();
      scanned = scanColumns(scanner, n, dictionaries, buffers);
      leaveOut(from, '0');
    } else if (kind === 'n' || kind === 'dictionaries' || kind === 'columns') otherShape();
    else if (HEADER.has(name)) passValue(scanner);
    else {
      scanner.skip();
      leaveOut(start, '"":0');
    }
  } while (scanner.more(CLOSE_OBJECT));
  if (scanner.at !== scanner.bytes.length || scanned === null) otherShape();
  leaveOut(scanner.at, '');
  return { header: parse(header), ...scanned };
}

/** Moves past a value, which is checked when the header is parsed. */
function passValue(scanner: ByteScanner): void {
  const { bytes } = scanner;
  let depth = 0;
  for (;;) {
    const byte = bytes[scanner.at];
    if (byte === undefined) otherShape();
    if (byte === QUOTE) {
      scanner.text();
      continue;
    }
    if (depth === 0 && (byte === COMMA || byte === CLOSE_OBJECT)) return;
    if (byte === OPEN_LIST || byte === OPEN_OBJECT) depth++;
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth--;
    scanner.at++;
  }
}

function parse(header: string): JsonObject {
  try {
    return JSON.parse(header) as JsonObject;
  } catch {
    otherShape();
  }
}
