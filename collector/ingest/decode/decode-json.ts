import { catchFault, type DecodedBatch, decodeBatch } from './decode-batch.ts';
import { BatchFault } from './read-columns.ts';

/** At most 5,000 rows of 40 columns. */
const MAX_VALUES = 250_000;
/** A batch has five levels, in its status. */
const MAX_DEPTH = 64;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Reads a batch (docs/wire-format.md) however its JSON is formatted, within limits that apply before anything is
 * allocated. Never throws, like `decodeBatch`.
 */
export function decodeJson(bytes: Buffer, now: number): DecodedBatch {
  return catchFault(() => decodeBatch(parse(bytes), now));
}

function parse(bytes: Buffer): unknown {
  if (!isParsable(bytes)) {
    throw new BatchFault(
      'batch_too_large',
      `a batch may have at most ${MAX_VALUES} values and ${MAX_DEPTH} levels`,
      'Send fewer rows per batch.',
    );
  }
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new BatchFault('invalid_json', 'the body is not JSON', 'Send one JSON document in UTF-8.');
  }
}

/** Counts what JSON.parse would allocate. */
function isParsable(bytes: Uint8Array): boolean {
  let values = 0;
  let depth = 0;
  for (let at = 0; at < bytes.length; at++) {
    switch (bytes[at]) {
      case QUOTE:
        for (at++; at < bytes.length && bytes[at] !== QUOTE; at++) if (bytes[at] === BACKSLASH) at++;
        break;
      case OPEN_LIST:
      case OPEN_OBJECT:
        if (++depth > MAX_DEPTH) return false;
        values++;
        break;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        depth--;
        break;
      case COMMA:
      case COLON:
        values++;
        break;
    }
    if (values > MAX_VALUES) return false;
  }
  return true;
}
