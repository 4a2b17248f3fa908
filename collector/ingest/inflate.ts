import { createGunzip } from 'node:zlib';
import { MAX_DECOMPRESSED_BYTES } from '../../shared/vocabulary/wire-limits.ts';
import { FairQueue } from '../lib/fair-queue.ts';
import type { NetworkAccount } from './client-accounts.ts';
import type { Intake } from './intake.ts';

/** libuv has four threads for this: so many are at work, and as many are ready when one is done. */
const CONCURRENT = 8;
const WAITING_PER_NETWORK = 512;
/** Inflated in steps of this size, bytes. */
const STEP_BYTES = 64 * 1024;
/** Of a body that is small; most are. */
const FIRST_STEP_BYTES = 16 * 1024;
/** A batch of a megabyte never shrinks to a hundredth of it: that is a bomb, and known after its first megabyte. */
const BOMB_RATIO = 100;
const BOMB_FROM_BYTES = 2 ** 20;

export class InflatedTooLarge extends Error {}
export class NotGzip extends Error {}

export interface Inflater {
  /** Throws InflatedTooLarge, NotGzip or an IntakeRefusal. */
  inflate(body: Buffer, intake: Intake): Promise<Buffer>;
}

/** Inflates a few bodies at once, each only as far as there is room for it. */
export function createInflater(): Inflater {
  const queue = new FairQueue<NetworkAccount>(CONCURRENT);
  return {
    inflate: (body, intake) => intake.inTurn(queue, WAITING_PER_NETWORK, () => inflateInSteps(body, intake)),
  };
}

function inflateInSteps(body: Buffer, intake: Intake): Promise<Buffer> {
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
        intake.read(piece.length);
        if (isTooLarge(length, body.length)) throw new InflatedTooLarge();
        intake.hold(piece.length);
        pieces.push(piece);
      } catch (error) {
        stop(error);
      }
    });
    gunzip.on('error', () => stop(new NotGzip()));
    // A copy of its own length: a piece lies in memory of a whole step.
    gunzip.on('end', () => resolve(Buffer.concat(pieces, length)));
    gunzip.end(body);
  });
}

function isTooLarge(inflated: number, compressed: number): boolean {
  if (inflated > MAX_DECOMPRESSED_BYTES) return true;
  return inflated > BOMB_FROM_BYTES && inflated > compressed * BOMB_RATIO;
}
