import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { Type } from 'typebox';
import { EXPORT_FORMATS } from '../../export/export-formats.ts';
import { parseExportQuery } from '../../export/parse-export-query.ts';
import { runExport } from '../../export/run-export.ts';
import { ERRORS } from '../schemas/common-schemas.ts';
import type { TypedApp } from '../typed-app.ts';
import { type QuestionDeps, whileWaiting } from './question-route.ts';

const ParametersSchema = Type.Record(Type.String(), Type.Union([Type.String(), Type.Array(Type.String())]));
const FileSchema = Type.Unsafe<unknown>({ description: 'The file, piece by piece as the client takes it.' });

/** `GET /api/v1/export`: read as fast as the client takes it, and no further once he has gone. */
export function exportRoute(app: TypedApp, { store, clock, version }: QuestionDeps): void {
  app.get('/api/v1/export', {
    config: { allow: ['read', 'admin'] },
    schema: { querystring: ParametersSchema, response: { 200: FileSchema, ...ERRORS } },
    handler: async (request, reply) => {
      const now = clock();
      const query = parseExportQuery(request.query, now);
      const audience = { role: request.token?.role ?? 'read', now } as const;
      const signal = whileWaiting(reply.raw);
      const { bytes, leftOut } = await runExport({ store, version, audience, signal }, query);
      const name = `lastbyte-${new Date(query.range.from).toISOString().slice(0, 10)}.${query.format}`;
      reply.headers({
        'content-type': EXPORT_FORMATS[query.format].mediaType,
        'content-disposition': `attachment; filename="${name}"`,
        'x-lastbyte-left-out': String(leftOut),
      });
      return reply.send(Readable.from(letOthersWork(bytes), { objectMode: false }));
    },
  });
}

/** Those who send batches get their turn between any two pieces. */
async function* letOthersWork(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    yield piece;
    await setImmediate();
  }
}
