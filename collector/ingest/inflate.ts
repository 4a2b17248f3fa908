import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { MAX_BODY_BYTES } from '../../shared/vocabulary/wire-limits.ts';
import { FairQueue } from '../lib/fair-queue.ts';
import type { AdmittedRequest } from './admission/admission.ts';

/** Twice the four threads of libuv, so that another body is ready when one is done. */
const CONCURRENT = 8;
const WAITING_PER_NETWORK = 512;

export class InflatedTooLarge extends Error {}
export class NotGzip extends Error {}

export interface Inflater {
  /** Throws InflatedTooLarge, NotGzip or an AdmissionRefusal. */
  inflate(body: Buffer, admitted: AdmittedRequest): Promise<Buffer>;
}

/** Inflates a few bodies at once, round-robin between networks. */
export function createInflater(): Inflater {
  const queue = new FairQueue<number>(CONCURRENT);
  return {
    async inflate(body, admitted) {
      if (queue.waitingOf(admitted.network) >= WAITING_PER_NETWORK) throw admitted.busy();
      return queue.run(admitted.network, async () => {
        // Concurrent requests may have used up everything while this one waited.
        await admitted.checkRate();
        const inflated = await inflateOne(body).catch((error: unknown) => {
          admitted.read(error instanceof InflatedTooLarge ? MAX_BODY_BYTES : 0);
          throw error;
        });
        admitted.read(inflated.length);
        admitted.hold(inflated.length);
        return inflated;
      });
    },
  };
}

async function inflateOne(body: Buffer): Promise<Buffer> {
  try {
    return await promisify(gunzip)(body, { maxOutputLength: MAX_BODY_BYTES });
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? new InflatedTooLarge() : new NotGzip();
  }
}
