import { Worker } from 'node:worker_threads';
import { FairQueue } from '../lib/fair-queue.ts';
import type { AdmittedRequest } from './admission/admission.ts';
import type { NetworkQuota } from './admission/client-quotas.ts';
import type { ParsedBatch } from './body-group.ts';
import { decodeBatch } from './decode/decode-batch.ts';
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
export function parseBody(body: Buffer, receivedAt: number): ParsedBody {
  if (!isParsable(body)) {
    return {
      ok: false,
      code: 'batch_too_large',
      message: `a batch that has to be parsed may have at most ${MAX_PARSED_BYTES} bytes, ${MAX_PARSED_VALUES} values and ${MAX_PARSED_DEPTH} levels`,
      hint: 'Send fewer rows a batch, or format it without spaces as in docs/wire-format.md.',
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
  parse(bytes: Buffer, receivedAt: number, admitted: AdmittedRequest): Promise<ParsedBody>;
  close(): Promise<void>;
}

export interface ParseRequest {
  readonly bytes: Uint8Array;
  readonly receivedAt: number;
}
export type ParseAnswer = { readonly read: ParsedBody } | { readonly error: string };

interface Job {
  resolve(read: ParsedBody): void;
  reject(error: unknown): void;
}

/**
 * Parses in a thread of its own, one body at a time: it has a low priority, and neither the event loop nor the writer ever
 * waits for it. If the thread dies, its body fails, and the next one starts a new thread.
 *
 * @param script the built parse-thread.ts; null parses in the calling thread
 */
export function createBodyParser(script: URL | null): BodyParser {
  const queue = new FairQueue<NetworkQuota>(1);
  let worker: Worker | null = null;
  let job: Job | null = null;

  function start(url: URL): Worker {
    const started = new Worker(url, { resourceLimits: { maxOldGenerationSizeMb: THREAD_HEAP_MB } });
    started.on('message', (answer: ParseAnswer) => {
      const done = job;
      job = null;
      started.unref();
      if ('read' in answer) done?.resolve(answer.read);
      else done?.reject(new Error(answer.error));
    });
    const died = (error: unknown) => {
      if (worker !== started) return;
      worker = null;
      job?.reject(error);
      job = null;
    };
    started.on('error', died);
    started.on('exit', () => died(new Error('the parse thread ended')));
    return started;
  }

  function inThread(url: URL, request: ParseRequest): Promise<ParsedBody> {
    worker ??= start(url);
    const own = worker;
    own.ref();
    return new Promise((resolve, reject) => {
      job = { resolve, reject };
      // Transfers a copy: cloning would copy the whole buffer that the body is part of.
      const bytes = new Uint8Array(request.bytes);
      own.postMessage({ ...request, bytes }, [bytes.buffer]);
    });
  }

  return {
    parse: (bytes, receivedAt, admitted) =>
      admitted.enqueue(queue, WAITING_PER_NETWORK, async () =>
        script === null ? parseBody(bytes, receivedAt) : inThread(script, { bytes, receivedAt }),
      ),
    async close() {
      await worker?.terminate();
    },
  };
}
