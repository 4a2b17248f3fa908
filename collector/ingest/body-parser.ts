import { Worker } from 'node:worker_threads';
import { FairQueue } from '../lib/fair-queue.ts';
import type { NetworkAccount } from './client-accounts.ts';
import type { Intake } from './intake.ts';
import { parseBody } from './parse-body.ts';
import type { ReadBody } from './read-body.ts';

/** Each takes 20 ms at most. */
const WAITING_PER_NETWORK = 16;
/** Four times what the largest body that may be parsed becomes, MB. */
const THREAD_HEAP_MB = 192;

/** Reads bodies that are not as extensions write them. */
export interface BodyParser {
  /** Throws an IntakeRefusal where too many of this client's wait. */
  parse(bytes: Buffer, receivedAt: number, intake: Intake): Promise<ReadBody>;
  close(): Promise<void>;
}

export interface ParseRequest {
  readonly bytes: Uint8Array;
  readonly receivedAt: number;
}
export type ParseAnswer = { readonly read: ReadBody } | { readonly error: string };

interface Job {
  resolve(read: ReadBody): void;
  reject(error: unknown): void;
}

/**
 * In a thread of its own, one body at a time: it has a low priority, and neither the event loop nor the writer ever waits
 * for it. If it dies, its body fails, and the next one starts it again.
 *
 * @param script the built parse-thread.ts; null parses in the calling thread, as tests do
 */
export function createBodyParser(script: URL | null): BodyParser {
  const queue = new FairQueue<NetworkAccount>(1);
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
    started.on('exit', () => died(new Error('the thread that parses bodies ended')));
    return started;
  }

  function inThread(url: URL, request: ParseRequest): Promise<ReadBody> {
    worker ??= start(url);
    const own = worker;
    own.ref();
    return new Promise((resolve, reject) => {
      job = { resolve, reject };
      // A copy that is handed over: what is cloned takes all memory along that the body lies in.
      const bytes = new Uint8Array(request.bytes);
      own.postMessage({ ...request, bytes }, [bytes.buffer]);
    });
  }

  return {
    parse: (bytes, receivedAt, intake) =>
      intake.inTurn(queue, WAITING_PER_NETWORK, async () =>
        script === null ? parseBody(bytes, receivedAt) : inThread(script, { bytes, receivedAt }),
      ),
    async close() {
      await worker?.terminate();
    },
  };
}
