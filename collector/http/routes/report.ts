import { Type } from 'typebox';
import type { ReportSource } from '../../reports/document/report-request.ts';
import { gatherReport } from '../../reports/gather-report.ts';
import { parseReport } from '../../reports/parse-report.ts';
import { HTML_POLICY } from '../../reports/render/html/html-style.ts';
import { fileNameOf, MEDIA_TYPES, type RenderedAs } from '../../reports/render/render-report.ts';
import type { ReportRenderer } from '../../reports/report-renderer.ts';
import { type JsonBytes, joinJson, writeJson } from '../../storage/json-bytes.ts';
import type { TypedApp } from '../api/app-deps.ts';
import { answerWithProgress, wantsProgress } from '../api/progress-answer.ts';
import { ERRORS } from '../schemas/common-schemas.ts';
import { type QuestionDeps, whileWaiting } from './question-route.ts';

const ParametersSchema = Type.Record(Type.String(), Type.Union([Type.String(), Type.Array(Type.String())]));
const ReportFileSchema = Type.Unsafe<unknown>({
  description: 'The report: JSON unless `format` names html, pdf, csv, md or text.',
});
/** Displayed by browsers; the others are downloads. */
const DISPLAYED = ['html', 'pdf', 'json', 'text'];

/** `GET /api/v1/report`: every view in every format, limited to what the role may see. */
export function reportRoute(
  app: TypedApp,
  { store, clock, version, renderer, unsent }: QuestionDeps & { renderer: ReportRenderer },
): void {
  app.get('/api/v1/report', {
    config: { allow: ['read', 'admin'] },
    schema: { querystring: ParametersSchema, response: { 200: ReportFileSchema, ...ERRORS } },
    handler: async (request, reply) => {
      const now = clock();
      const asked = parseReport(request.query, now);
      const audience = { role: request.token?.role ?? 'read', now } as const;
      const signal = whileWaiting(reply.raw);
      const token = request.token?.id;
      const asker = { store, version, clock, audience, signal, token };
      const { format } = asked;
      const render = (source: ReportSource, as: RenderedAs) => renderer.render(source, as, { signal, token });
      if (format === 'json' && wantsProgress(request)) {
        return answerWithProgress(request, reply, unsent, async (progress) => {
          const source = await gatherReport({ ...asker, progress }, asked, now);
          if (source.view === 'monthly') return (await render(source, 'json-line')).bytes;
          const document: JsonBytes<object> = source.document;
          const madeAt = asked.stamp === null ? {} : { madeAt: new Date(asked.stamp).toISOString() };
          return joinJson(document, writeJson(madeAt));
        });
      }
      unsent.admit(request);
      const report = await render(await gatherReport(asker, asked, now), format);
      const kind = DISPLAYED.includes(format) ? 'inline' : 'attachment';
      reply.headers({
        'content-type': MEDIA_TYPES[format],
        'content-disposition': `${kind}; filename="${fileNameOf(report, format)}"`,
        // The report has an inline style sheet; nothing else in it may be active.
        ...(format === 'html' ? { 'content-security-policy': `${HTML_POLICY}; frame-ancestors 'none'` } : {}),
      });
      return reply.send(report.bytes);
    },
  });
}
