import type { BatchAnswer } from '../../../shared/wire/wire-batch.ts';
import { BacklogFull, type GroupCommit } from '../../ingest/group-commit.ts';
import type { RequestMeters } from '../../metrics/request-meters.ts';
import type { AppDeps } from '../app-deps.ts';
import { HttpError } from '../errors.ts';
import { BATCH_ROUTE } from '../json-body.ts';
import { BatchAnswerSchema, BatchSchema } from '../schemas/batch-schemas.ts';
import { ERRORS } from '../schemas/common-schemas.ts';
import type { TypedApp } from '../typed-app.ts';

const BACKLOG_RETRY_SECONDS = 5;

/** `POST /api/v1/batches`: answered only after what it says is durable. The event loop passes the bytes on, no more. */
export function batchesRoute(
  app: TypedApp,
  { clock }: Pick<AppDeps, 'clock'>,
  commit: GroupCommit,
  { rowsFolded }: Pick<RequestMeters, 'rowsFolded'>,
): void {
  app.post(BATCH_ROUTE, {
    config: { allow: ['ingest'] },
    schema: { body: BatchSchema, response: { 200: BatchAnswerSchema, ...ERRORS } },
    // Judged row by row where it is stored, which a schema cannot.
    validatorCompiler: () => () => true,
    handler: async ({ body, token }): Promise<BatchAnswer> => {
      if (!Buffer.isBuffer(body)) throw new HttpError('invalid_json', 'there is no body', 'Send one batch as JSON.');
      const key = token?.id ?? '';
      const outcome = await commit.add({ bytes: body, receivedAt: clock(), key }).catch((error: unknown) => {
        throw error instanceof BacklogFull ? backlogError() : error;
      });
      if (!outcome.ok) throw new HttpError(outcome.code, outcome.message, outcome.hint);
      if (outcome.folded > 0) rowsFolded(key, outcome.folded);
      return outcome.answer;
    },
  });
}

function backlogError(): HttpError {
  return new HttpError(
    'busy',
    'the collector has more to store than it can hold',
    'Keep the batch and send it again later.',
    { retryAfterSeconds: BACKLOG_RETRY_SECONDS },
  );
}
