import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { EXPORT_FORMATS } from '../../export/export-formats.ts';
import { paced } from '../../export/paced.ts';
import { parseExportQuery } from '../../export/parse-export-query.ts';
import { runExport } from '../../export/run-export.ts';
import { HttpError } from '../errors.ts';
import { ERRORS } from '../schemas/common-schemas.ts';
import type { TypedApp } from '../typed-app.ts';
import { type QuestionDeps, whileWaiting } from './question-route.ts';

const ParametersSchema = Type.Record(Type.String(), Type.Union([Type.String(), Type.Array(Type.String())]));
const FileSchema = Type.Unsafe<unknown>({ description: 'The file, piece by piece as the client takes it.' });

/** Exports that may run at a time: each holds a chunk of samples and takes its turns of the one thread. */
export const MOST_EXPORTS = 4;
/** A client that takes nothing for so long has its export ended: it would keep the others out, ms. */
const STALLED_MS = 60_000;
const BUSY_SECONDS = 10;

/** `GET /api/v1/export`: read as fast as the client takes it, and no further once he has gone. */
export function exportRoute(app: TypedApp, { store, clock, version }: QuestionDeps): void {
  const running = new Set<ServerResponse>();
  app.get('/api/v1/export', {
    config: { allow: ['read', 'admin'] },
    // Fastify would answer HEAD by reading the whole export after its answer was sent, past the limit.
    exposeHeadRoute: false,
    schema: { querystring: ParametersSchema, response: { 200: FileSchema, ...ERRORS } },
    handler: async (request, reply) => {
      const now = clock();
      const query = parseExportQuery(request.query, now);
      const audience = { role: request.token?.role ?? 'read', now } as const;
      if (running.size >= MOST_EXPORTS) {
        throw new HttpError('busy', `${MOST_EXPORTS} exports are running already`, 'Try again when one has ended.', {
          retryAfterSeconds: BUSY_SECONDS,
        });
      }
      const { raw } = reply;
      running.add(raw);
      // Comes after the last byte and after every kind of failure.
      raw.once('close', () => running.delete(raw));
      const signal = whileWaiting(raw);
      const { bytes, leftOut } = await runExport({ store, version, audience, signal, token: request.token?.id }, query);
      const name = `lastbyte-${new Date(query.range.from).toISOString().slice(0, 10)}.${query.format}`;
      reply.headers({
        'content-type': EXPORT_FORMATS[query.format].mediaType,
        'content-disposition': `attachment; filename="${name}"`,
        'x-lastbyte-left-out': leftOut ? 'some' : 'none',
      });
      return reply.send(
        Readable.from(
          paced(bytes, STALLED_MS, () => raw.destroy()),
          { objectMode: false },
        ),
      );
    },
  });
}
