import type { BatchAnswer } from '../../shared/wire/wire-batch.ts';
import type { BatchCode } from '../../shared/wire/wire-codes.ts';
import type { HeardClock } from '../storage/clock-watch.ts';
import type { BatchRoom } from './decode/batch-room.ts';
import { type DecodedBatch, decodeBatchBytes } from './decode/decode-batch.ts';

/** What came to `POST /api/v1/batches`, unpacked. */
export interface BatchBody {
  readonly bytes: Uint8Array;
  /** Epoch ms, by the collector's clock. */
  readonly receivedAt: number;
  /** Id of the ingest key it was sent with. */
  readonly key: string;
  /** Number of the network it came from (client-accounts.ts); absent where that is unknown, and all of those are one. */
  readonly network?: number;
  /** False where browsers known for less than a day may store nothing at the moment; true unless given. */
  readonly takesNewcomers?: boolean;
  /** What the bytes say, where they had to be parsed (parse-body.ts): then nobody reads them again. */
  readonly parsed?: ParsedBatch;
  /** Length of the body that was parsed, whose bytes are gone. */
  readonly parsedBytes?: number;
}

export type ParsedBatch = Extract<DecodedBatch, { ok: true }>;

/** A body that holds no batch: nothing of it is stored. */
export interface RefusedBody {
  readonly code: BatchCode | 'invalid_json' | 'clock_in_doubt' | 'quota_exceeded';
  readonly message: string;
  readonly hint: string;
  /** Where the clock is the reason. */
  readonly heard?: HeardClock;
}

export interface StoredBody {
  readonly ok: true;
  readonly answer: BatchAnswer;
  /** Rows of which a name was folded into `(other)`. */
  readonly folded: number;
  /** Rows stored in a coarser cell (cell-bounds.ts). */
  readonly coarsened: number;
  /** Columns of metrics that the settings don't name. */
  readonly droppedMetrics: number;
  /** What the batch took in the store, its part of what is written once for a whole group included. */
  readonly storedBytes: number;
  /** Its browser is known for less than a day. */
  readonly newcomer: boolean;
  /** Nothing was heard of its browser before; false unless given. */
  readonly newBrowser?: boolean;
  /** While the collector's clock is in doubt. */
  readonly heard?: HeardClock;
}

export type BodyOutcome = StoredBody | ({ readonly ok: false } & RefusedBody);

export type ReadBody = ParsedBatch | ({ readonly ok: false } & RefusedBody);

/**
 * A body as extensions write it, without parsing it; null where it is written in any other way, which is not to say that it
 * is wrong: parse-body.ts reads those, in a thread that no other batch waits for.
 */
export function readBody(body: Buffer, receivedAt: number, room: BatchRoom): ReadBody | null {
  return decodeBatchBytes(body, receivedAt, (from, to) => body.toString('utf8', from, to), room);
}
