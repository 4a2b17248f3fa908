import type { BatchRoom } from '../../shared/wire/batch-room.ts';
import { type DecodedBatch, decodeBatch, decodeBatchBytes } from '../../shared/wire/decode-batch.ts';
import type { BatchAnswer } from '../../shared/wire/wire-batch.ts';
import type { BatchCode } from '../../shared/wire/wire-codes.ts';

/** What came to `POST /api/v1/batches`, unpacked. */
export interface BatchBody {
  readonly bytes: Uint8Array;
  /** Epoch ms, by the collector's clock. */
  readonly receivedAt: number;
  /** Id of the ingest key it was sent with. */
  readonly key: string;
}

/** A body that holds no batch: nothing of it is stored. */
export interface RefusedBody {
  readonly code: BatchCode | 'invalid_json';
  readonly message: string;
  readonly hint: string;
}

export interface StoredBody {
  readonly ok: true;
  readonly answer: BatchAnswer;
  /** Rows of which a name was folded into `(other)`. */
  readonly folded: number;
}

export type BodyOutcome = StoredBody | ({ readonly ok: false } & RefusedBody);

type ReadBody = Extract<DecodedBatch, { ok: true }> | ({ readonly ok: false } & RefusedBody);

/** Bytes as extensions write them without parsing, as anything else writes JSON with. */
export function readBody(body: Buffer, receivedAt: number, room: BatchRoom): ReadBody {
  const read = decodeBatchBytes(body, receivedAt, (from, to) => body.toString('utf8', from, to), room);
  if (read !== null) return read;
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
