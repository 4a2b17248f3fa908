import { createGunzip } from 'node:zlib';
import { MAX_BODY_BYTES } from '../../shared/vocabulary/wire-limits.ts';
import { FairQueue } from '../lib/fair-queue.ts';
import type { AdmittedRequest } from './admission/admission.ts';
import type { NetworkQuota } from './admission/client-quotas.ts';

/** Twice the four threads of libuv, so that another body is ready when one is done. */
const CONCURRENT = 8;
const WAITING_PER_NETWORK = 512;
/** Size of inflated chunks. */
const STEP_BYTES = 64 * 1024;
/** For small bodies, as most are. */
const FIRST_STEP_BYTES = 16 * 1024;

export class InflatedTooLarge extends Error {}
export class NotGzip extends Error {}

export interface Inflater {
  /** Throws InflatedTooLarge, NotGzip or an AdmissionRefusal. */
  inflate(body: Buffer, admitted: AdmittedRequest): Promise<Buffer>;
}

/** Inflates a few bodies at once, each only as far as memory is reserved for it. */
export function createInflater(): Inflater {
  const queue = new FairQueue<NetworkQuota>(CONCURRENT);
  return {
    inflate: (body, admitted) => admitted.enqueue(queue, WAITING_PER_NETWORK, () => inflateInSteps(body, admitted)),
  };
}

function inflateInSteps(body: Buffer, admitted: AdmittedRequest): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunkSize = body.length < FIRST_STEP_BYTES / 4 ? FIRST_STEP_BYTES : STEP_BYTES;
    const gunzip = createGunzip({ chunkSize });
    const pieces: Buffer[] = [];
    let length = 0;
    const stop = (error: unknown) => {
      gunzip.destroy();
      reject(error);
    };
    gunzip.on('data', (piece: Buffer) => {
      length += piece.length;
      try {
        admitted.read(piece.length);
        if (length > MAX_BODY_BYTES) throw new InflatedTooLarge();
        admitted.hold(piece.length);
        pieces.push(piece);
      } catch (error) {
        stop(error);
      }
    });
    gunzip.on('error', () => stop(new NotGzip()));
    // A copy of the exact length: each chunk occupies the memory of a whole step.
    gunzip.on('end', () => resolve(Buffer.concat(pieces, length)));
    gunzip.end(body);
  });
}
