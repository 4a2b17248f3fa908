import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { EXPORT_FORMATS } from '../../exchange/export/export-formats.ts';
import { createEventLoopScheduler, paced } from '../../exchange/export/paced.ts';
import { EXPORT_PARAMETERS, runExport } from '../../exchange/export/run-export.ts';
import { parseParameters, querystringSchema } from '../../questions/parameters.ts';
import type { QueryString } from '../../questions/query-string.ts';
import type { TypedApp } from '../api/app-deps.ts';
import { HttpError } from '../api/errors.ts';
import { MIN_BYTES_PER_S } from '../api/unsent-answers.ts';
import { route } from '../schemas/common-schemas.ts';
import { type QuestionDeps, untilDisconnected } from './questions.ts';

const FileSchema = Type.Unsafe<unknown>({ description: 'The file, streamed as fast as the client reads it.' });

/** Exports that may run at the same time: each holds a chunk of samples and shares the event loop. */
export const MOST_EXPORTS = 4;
const MOST_EXPORTS_OF_TOKEN = 2;
/** Lag behind the minimum rate, ms, at which an export is aborted, since it keeps others out. */
const GRACE_MS = 60_000;
const BUSY_SECONDS = 10;

/** `GET /api/v1/export`: read as fast as the client reads, and no further once it has disconnected. */
export function exportRoute(app: TypedApp, { store, clock, version, unsent }: QuestionDeps): void {
  const running = new Set<RunningFor>();
  const yieldToEventLoop = createEventLoopScheduler();
  app.get('/api/v1/export', {
    ...route(['read', 'admin'], 'The samples themselves as CSV, NDJSON, Parquet or HAR.', FileSchema, {
      produces: ['text/csv'],
      querystring: querystringSchema(EXPORT_PARAMETERS),
    }),
    // Fastify would serve HEAD by reading the whole export after its response was sent, bypassing the limit.
    exposeHeadRoute: false,
    validatorCompiler: () => () => true,
    handler: async (request, reply) => {
      const now = clock();
      const query = parseParameters(EXPORT_PARAMETERS, request.query as QueryString, now);
      const viewer = { role: request.token?.role ?? 'read', now } as const;
      unsent.admit(request);
      const token = request.token?.id;
      const own = [...running].filter((one) => one.token === token).length;
      if (running.size >= MOST_EXPORTS) throw busy(`${MOST_EXPORTS} exports are running already`);
      if (own >= MOST_EXPORTS_OF_TOKEN) throw busy(`${own} exports of this token are running already`);
      const { raw } = reply;
      const one: RunningFor = { token, reading: false };
      running.add(one);
      // Emitted after the last byte and after every kind of failure. Samples may still be being read for a client that
      // has disconnected: the slot is freed once that has ended.
      raw.once('close', () => one.reading || running.delete(one));
      const signal = untilDisconnected(raw);
      const { bytes, leftOut } = await runExport({ store, version, viewer, signal, token }, query, {
        yieldToEventLoop,
      });
      async function* read(): AsyncGenerator<Uint8Array> {
        signal.throwIfAborted();
        one.reading = true;
        try {
          yield* bytes;
        } finally {
          running.delete(one);
        }
      }
      const name = `lastbyte-${new Date(query.range.from).toISOString().slice(0, 10)}.${query.format}`;
      reply.headers({
        'content-type': EXPORT_FORMATS[query.format].mediaType,
        'content-disposition': `attachment; filename="${name}"`,
        'x-lastbyte-left-out': leftOut ? 'some' : 'none',
      });
      return reply.send(
        Readable.from(
          paced(
            read(),
            { graceMs: GRACE_MS, minBytesPerS: MIN_BYTES_PER_S },
            () => {
              unsent.slow++;
              raw.destroy();
            },
            yieldToEventLoop,
          ),
          { objectMode: false },
        ),
      );
    },
  });
}

interface RunningFor {
  /** Id of the token. */
  readonly token: string | undefined;
  /** Whether its samples are being read. */
  reading: boolean;
}

function busy(message: string): HttpError {
  return new HttpError('busy', message, 'Try again once one has finished.', { retryAfterSeconds: BUSY_SECONDS });
}
