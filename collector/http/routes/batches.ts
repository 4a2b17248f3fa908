import { type DecodedBatch, decodeBatch, decodeBatchBytes } from '../../../shared/wire/decode-batch.ts';
import type { BatchAnswer } from '../../../shared/wire/wire-batch.ts';
import { BacklogFull, type GroupCommit } from '../../ingest/group-commit.ts';
import { createNameBounds } from '../../ingest/name-bounds.ts';
import type { AppDeps } from '../app-deps.ts';
import { HttpError } from '../errors.ts';
import { BATCH_ROUTE, parseJson } from '../json-body.ts';
import { BatchAnswerSchema, BatchSchema } from '../schemas/batch-schemas.ts';
import { ERRORS } from '../schemas/common-schemas.ts';
import type { TypedApp } from '../typed-app.ts';

const BACKLOG_RETRY_SECONDS = 5;

/** `POST /api/v1/batches`: answered only after what it says is durable. */
export function batchesRoute(app: TypedApp, { clock }: Pick<AppDeps, 'clock'>, commit: GroupCommit): void {
  const names = createNameBounds();
  app.post(BATCH_ROUTE, {
    config: { allow: ['ingest'] },
    schema: { body: BatchSchema, response: { 200: BatchAnswerSchema, ...ERRORS } },
    // decodeBatch judges row by row, which a schema cannot.
    validatorCompiler: () => () => true,
    handler: async (request): Promise<BatchAnswer> => {
      const receivedAt = clock();
      const batch = readBatch(request.body, receivedAt);
      if (!batch.ok) throw new HttpError(batch.code, batch.message, batch.hint);

      const { batchId: id, origin, clockCorrection, status, rejected } = batch;
      const columns = names.bound(batch.columns, receivedAt);
      const { duplicate } = await commit
        .add({ id, receivedAt, origin, clockCorrection, status, columns })
        .catch((error: unknown) => {
          throw error instanceof BacklogFull ? backlogError() : error;
        });
      return { batch: id, duplicate, accepted: duplicate ? 0 : columns.n, rejected };
    },
  });
}

/** Bytes as extensions write them without parsing, as anything else writes JSON with. */
function readBatch(body: unknown, now: number): DecodedBatch {
  if (!Buffer.isBuffer(body)) return decodeBatch(body, now);
  const read = decodeBatchBytes(body, now, (from, to) => body.toString('utf8', from, to));
  return read ?? decodeBatch(parseJson(body), now);
}

function backlogError(): HttpError {
  return new HttpError(
    'busy',
    'the collector has more to store than it can hold',
    'Keep the batch and send it again later.',
    { retryAfterSeconds: BACKLOG_RETRY_SECONDS },
  );
}
