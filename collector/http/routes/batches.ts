import type { FastifyRequest } from 'fastify';
import { MAX_BODY_BYTES } from '../../../shared/vocabulary/wire-limits.ts';
import type { BatchAnswer } from '../../../shared/wire/wire-batch.ts';
import type { DiskReserve } from '../../ingest/admission/disk-reserve.ts';
import type { GroupCommit } from '../../ingest/group-commit.ts';
import { ingestBody, ReceivedBody } from '../../ingest/group-commit.ts';
import type { RequestMeters } from '../../monitoring/metrics/request-meters.ts';
import type { AppDeps, TypedApp } from '../api/app-deps.ts';
import { HttpError } from '../api/errors.ts';
import { BATCH_ROUTE } from '../api/json-body.ts';
import { BatchAnswerSchema, BatchBodySchema } from '../schemas/batch-schemas.ts';
import { route } from '../schemas/common-schemas.ts';

interface BatchesDeps extends Pick<AppDeps, 'clock'> {
  readonly commit: GroupCommit;
  readonly diskReserve: DiskReserve;
  readonly meters: Pick<RequestMeters, 'rowsFolded' | 'rowsCoarsened' | 'metricColumnsDropped'>;
}

/** `POST /api/v1/batches`: answered once its samples are durable. The event loop only passes the bytes on. */
export function batchesRoute(app: TypedApp, { clock, commit, meters, diskReserve }: BatchesDeps): void {
  const beganAt = new WeakMap<FastifyRequest, number>();
  app.post(BATCH_ROUTE, {
    ...route(['ingest'], 'Store a batch of samples. Idempotent by its id.', BatchAnswerSchema, {
      body: BatchBodySchema,
    }),
    bodyLimit: MAX_BODY_BYTES,
    // Before the body, so that refused batches count too.
    onRequest: (request, _reply, done) => {
      beganAt.set(request, clock());
      diskReserve.batchArrives();
      done();
    },
    // Validated row by row where it is stored, which a schema can't do.
    validatorCompiler: () => () => true,
    handler: async (request): Promise<BatchAnswer> => {
      const { body, token, ip } = request;
      const receivedAt = beganAt.get(request) ?? clock();
      const received: unknown = body;
      if (!(received instanceof ReceivedBody)) {
        throw new HttpError('invalid_json', 'the body is missing', 'Send one batch as JSON.');
      }
      const { admitted, bytes } = received;
      try {
        await diskReserve.reserve(bytes.length);
        const key = token?.id ?? '';
        const outcome = await ingestBody(commit, received, { receivedAt, key, address: ip }).finally(() =>
          diskReserve.release(bytes.length),
        );
        if (outcome.ok) {
          if (outcome.folded > 0) meters.rowsFolded(key, outcome.folded);
          if (outcome.coarsened > 0) meters.rowsCoarsened(key, outcome.coarsened);
          if (outcome.droppedMetrics > 0) meters.metricColumnsDropped(key, outcome.droppedMetrics);
          return outcome.answer;
        }
        throw new HttpError(outcome.code, outcome.message, outcome.hint);
      } finally {
        admitted.release();
      }
    },
  });
}
