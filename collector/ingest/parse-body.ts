import { FairQueue } from '../lib/fair-queue.ts';
import { createThreadRunner } from '../lib/worker-pool.ts';
import type { AdmittedRequest } from './admission/admission.ts';
import type { NetworkQuota } from './admission/client-quotas.ts';
import type { ParsedBatch } from './body-group.ts';
import { NO_LIMITS } from './decode/byte-columns.ts';
import { NEW_BUFFERS } from './decode/column-buffers.ts';
import { decodeBatch } from './decode/decode-batch.ts';
import { decodeBytes } from './decode/decode-bytes.ts';
import type { RefusedBody } from './ingest-bodies.ts';

/** Only bodies of programs other than the extension are parsed: at most 5,000 rows of 40 columns. */
export const MAX_PARSED_BYTES = 2 ** 20;
const MAX_PARSED_VALUES = 250_000;
/** A batch has five levels, in its status. */
const MAX_PARSED_DEPTH = 64;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

export type ParsedBody = ParsedBatch | RefusedBody;

/** Reads a body however its JSON is formatted, within limits that apply before anything is allocated. */
export function parseBody(body: Buffer, isBinary: boolean, receivedAt: number): ParsedBody {
  if (isBinary) return decodeLargeBytes(body, receivedAt);
  if (!isParsable(body)) {
    return {
      ok: false,
      code: 'batch_too_large',
      message: `a batch that has to be parsed may have at most ${MAX_PARSED_BYTES} bytes, ${MAX_PARSED_VALUES} values and ${MAX_PARSED_DEPTH} levels`,
      hint: 'Send fewer rows per batch, or format it without spaces as in docs/wire-format.md.',
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

/** A body with more strings than the writer's thread reads. They are at most twice as large as their bytes. */
function decodeLargeBytes(body: Buffer, receivedAt: number): ParsedBody {
  if (body.length > MAX_PARSED_BYTES) {
    return {
      ok: false,
      code: 'batch_too_large',
      message: `a batch with so many strings or so large a status may have at most ${MAX_PARSED_BYTES} bytes`,
      hint: 'Send fewer rows per batch.',
    };
  }
  const decoded = decodeBytes(body, receivedAt, NEW_BUFFERS, NO_LIMITS);
  if (decoded === null) throw new Error('a batch exceeded limits that there are not');
  return decoded;
}

/** Counts what JSON.parse would allocate. */
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

/** Each takes at most 20 ms. */
const WAITING_PER_NETWORK = 16;
/** Four times the parsed size of the largest body, MB. */
const THREAD_HEAP_MB = 192;

/** Reads bodies that aren't formatted as by the extension. */
export interface BodyParser {
  /** Throws an AdmissionRefusal if too many bodies of this network are waiting. */
  parse(bytes: Buffer, isBinary: boolean, receivedAt: number, admitted: AdmittedRequest): Promise<ParsedBody>;
  close(): Promise<void>;
}

/** The jobs of parse-thread.ts. */
export interface ParseJobs {
  parse(bytes: Uint8Array, isBinary: boolean, receivedAt: number): ParsedBody;
}

/**
 * Parses in a thread of its own, one body at a time: it has a low priority, and neither the event loop nor the writer ever
 * waits for it. If the thread dies, its body fails, and the next one starts a new thread.
 *
 * @param script the built parse-thread.ts; null parses in the calling thread
 */
export function createBodyParser(script: URL | null): BodyParser {
  const queue = new FairQueue<NetworkQuota>(1);
  const thread =
    script === null
      ? null
      : createThreadRunner<ParseJobs>(script, {
          data: null,
          lowPriority: true,
          heapMb: () => THREAD_HEAP_MB,
          errors: {
            failed: (stack) => new Error(stack),
            cancelled: () => new Error('the body is no longer needed'),
            ended: (cause) => (cause instanceof Error ? cause : new Error('the thread that parses bodies ended')),
          },
        });

  function inThread(bytes: Buffer, isBinary: boolean, receivedAt: number): Promise<ParsedBody> | undefined {
    // A copy that is moved: cloning would send the whole buffer that the body is a part of.
    const copy = new Uint8Array(bytes);
    return thread?.run('parse', [copy, isBinary, receivedAt], { transfer: [copy.buffer] });
  }

  return {
    parse: (bytes, isBinary, receivedAt, admitted) =>
      admitted.enqueue(
        queue,
        WAITING_PER_NETWORK,
        async () => inThread(bytes, isBinary, receivedAt) ?? parseBody(bytes, isBinary, receivedAt),
      ),
    async close() {
      await thread?.close();
    },
  };
}
