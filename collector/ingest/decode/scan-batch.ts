import type { BatchRoom } from './batch-room.ts';
import { ByteScanner, OtherShape, otherShape } from './byte-scanner.ts';
import type { RawColumns } from './raw-columns.ts';
import { BATCH_LIMITS, BatchFault } from './read-columns.ts';
import { type ReadText, type ScannedDictionaries, scanColumns, scanDictionaries, scanName } from './scan-columns.ts';

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** What is read of a batch beside `n`, its dictionaries and its columns. */
const OUTLINE: ReadonlySet<string> = new Set([
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
/** Twice what the largest status takes, bytes: it is the only thing of a batch that is parsed. */
const MAX_OUTLINE_BYTES = 128 * 1024;

export interface ScannedBatch {
  /** Everything that is known but what stands in `dictionaries` and `columns`: a few words. */
  readonly outline: Readonly<Record<string, unknown>>;
  readonly columns: RawColumns;
}

/**
 * Reads a batch from its bytes if they are as `JSON.stringify` writes what `encodeBatch` makes, `n` before the columns and
 * the dictionaries before both; null for anything else, which is not to say that it is wrong. What it does read means the
 * same to `JSON.parse`.
 */
export function scanBatch(bytes: Uint8Array, readText: ReadText, room: BatchRoom): ScannedBatch | null {
  try {
    return scan(new ByteScanner(bytes), readText, room);
  } catch (error) {
    if (error instanceof OtherShape || error instanceof BatchFault) return null;
    throw error;
  }
}

function scan(scanner: ByteScanner, readText: ReadText, room: BatchRoom): ScannedBatch {
  let n: number | null = null;
  let dictionaries: ScannedDictionaries | null = null;
  let columns: RawColumns | null = null;
  let outline = '';
  let copied = 0;
  /** Puts something short in the place of what is not parsed. */
  const leaveOut = (from: number, instead: string) => {
    if (outline.length + from - copied > MAX_OUTLINE_BYTES) otherShape();
    outline += `${readText(copied, from)}${instead}`;
    copied = scanner.at;
  };

  scanner.take(OPEN_OBJECT);
  do {
    const { at: start } = scanner;
    const { kind, name } = scanName(scanner, readText);
    const from = scanner.at;
    if (kind === 'n' && n === null) n = scanner.whole();
    else if (kind === 'dictionaries' && dictionaries === null) {
      dictionaries = scanDictionaries(scanner, readText);
      leaveOut(from, '0');
    } else if (kind === 'columns' && columns === null) {
      if (n === null || n > BATCH_LIMITS.rows || dictionaries === null) otherShape();
      columns = scanColumns(scanner, readText, n, dictionaries, room);
      leaveOut(from, '0');
    } else if (kind === 'n' || kind === 'dictionaries' || kind === 'columns') otherShape();
    else if (OUTLINE.has(name)) passValue(scanner);
    else {
      scanner.skip();
      leaveOut(start, '"":0');
    }
  } while (scanner.more(CLOSE_OBJECT));
  if (scanner.at !== scanner.bytes.length || columns === null) otherShape();
  leaveOut(scanner.at, '');
  return { outline: parse(outline), columns };
}

/** To the end of a value; whether it is one is seen when the outline is parsed. */
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

function parse(outline: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(outline) as Readonly<Record<string, unknown>>;
  } catch {
    otherShape();
  }
}
