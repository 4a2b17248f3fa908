import { FairQueue } from '../lib/fair-queue.ts';
import { createThreadRunner } from '../lib/worker-pool.ts';
import type { AdmittedRequest } from './admission/admission.ts';
import type { NetworkQuota } from './admission/client-quotas.ts';
import { NO_LIMITS } from './decode/byte-columns.ts';
import { NEW_BUFFERS } from './decode/column-buffers.ts';
import type { DecodedBatch } from './decode/decode-batch.ts';
import { decodeBytes } from './decode/decode-bytes.ts';
import { decodeJson } from './decode/decode-json.ts';

/** A batch in version 2 is at most twice as large once it is read. */
const MAX_BYTES = 2 ** 20;

/** Reads a body that takes longer than the writer's thread may spend on one. */
export function parseBody(body: Buffer, isBinary: boolean, receivedAt: number): DecodedBatch {
  if (!isBinary) return decodeJson(body, receivedAt);
  if (body.length > MAX_BYTES) {
    return {
      ok: false,
      code: 'batch_too_large',
      message: `a batch with so many strings or so large a status may have at most ${MAX_BYTES} bytes`,
      hint: 'Send fewer rows per batch.',
    };
  }
  const decoded = decodeBytes(body, receivedAt, NEW_BUFFERS, NO_LIMITS);
  if (decoded === null) throw new Error('a batch exceeded limits that there are not');
  return decoded;
}

/** Each takes at most 20 ms. */
const WAITING_PER_NETWORK = 16;
/** Four times the parsed size of the largest body, MB. */
const THREAD_HEAP_MB = 192;

/** Reads large bodies. */
export interface BodyParser {
  /** Throws an AdmissionRefusal if too many bodies of this network are waiting. */
  parse(bytes: Buffer, isBinary: boolean, receivedAt: number, admitted: AdmittedRequest): Promise<DecodedBatch>;
  close(): Promise<void>;
}

/** The jobs of parse-thread.ts. */
export interface ParseJobs {
  parse(bytes: Uint8Array, isBinary: boolean, receivedAt: number): DecodedBatch;
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

  function inThread(bytes: Buffer, isBinary: boolean, receivedAt: number): Promise<DecodedBatch> | undefined {
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
