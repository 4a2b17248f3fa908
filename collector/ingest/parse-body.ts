import { decodeBatch } from './decode/decode-batch.ts';
import type { ReadBody } from './read-body.ts';

/** What extensions send is never parsed, so these are for other programs: 5,000 rows of 40 columns, and nothing larger. */
export const MAX_PARSED_BYTES = 2 ** 20;
const MAX_PARSED_VALUES = 250_000;
/** Far deeper than a batch, whose status has five levels. */
const MAX_PARSED_DEPTH = 64;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Reads a body in whatever way its JSON is written, within limits that hold before anything is built of it. */
export function parseBody(body: Buffer, receivedAt: number): ReadBody {
  if (!isParsable(body)) {
    return {
      ok: false,
      code: 'batch_too_large',
      message: `a batch that has to be parsed may have ${MAX_PARSED_BYTES} bytes, ${MAX_PARSED_VALUES} values and ${MAX_PARSED_DEPTH} levels`,
      hint: 'Send fewer rows a batch, or write it without spaces as docs/wire-format.md says.',
    };
  }
  try {
    return decodeBatch(JSON.parse(body.toString('utf8')), receivedAt);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return {
      ok: false,
      code: 'invalid_json',
      message: 'the body is not JSON',
      hint: 'Send one JSON document in UTF-8.',
    };
  }
}

/** Counts what JSON.parse would make, and stops where it is too much. */
function isParsable(body: Uint8Array): boolean {
  if (body.length > MAX_PARSED_BYTES) return false;
  let values = 0;
  let depth = 0;
  for (let at = 0; at < body.length; at++) {
    switch (body[at]) {
      case QUOTE:
        for (at++; at < body.length && body[at] !== QUOTE; at++) if (body[at] === BACKSLASH) at++;
        break;
      case OPEN_LIST:
      case OPEN_OBJECT:
        if (++depth > MAX_PARSED_DEPTH) return false;
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
    if (values > MAX_PARSED_VALUES) return false;
  }
  return true;
}
