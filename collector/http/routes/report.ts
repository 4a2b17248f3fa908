import { Type } from 'typebox';
import { type JsonBytes, joinJson, writeJson } from '../../lib/json-bytes.ts';
import { querystringSchema, RANGE } from '../../questions/parameters.ts';
import type { QueryString } from '../../questions/query-string.ts';
import type { ReportSource } from '../../reports/document/report-request.ts';
import { gatherReport } from '../../reports/gather-report.ts';
import { parseReport } from '../../reports/parse-report.ts';
import { HTML_POLICY } from '../../reports/render/html/html-style.ts';
import { MEDIA_TYPES, type RenderedAs, toFileName } from '../../reports/render/render-report.ts';
import type { ReportRenderer } from '../../reports/report-renderer.ts';
import type { TypedApp } from '../api/app-deps.ts';
import { answerLanguage } from '../api/page-language.ts';
import { answerWithProgress, JSON_AND_PROGRESS, wantsProgress } from '../api/progress-answer.ts';
import { route } from '../schemas/common-schemas.ts';
import { type QuestionDeps, untilDisconnected } from './questions.ts';

/** What every view takes; docs/reports.md has the rest. */
const ParametersSchema = Type.Object({
  view: Type.Optional(Type.String({ description: 'Which report.', examples: ['phases'] })),
  ...querystringSchema({ range: RANGE }).properties,
});
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
    ...route(['read', 'admin'], 'A report in any format. Further parameters depend on the view.', ReportFileSchema, {
      produces: JSON_AND_PROGRESS,
      querystring: ParametersSchema,
    }),
    // Parsed by the report, with hints.
    validatorCompiler: () => () => true,
    handler: async (request, reply) => {
      const now = clock();
      const asked = parseReport(request.query as QueryString, now);
      const viewer = { role: request.token?.role ?? 'read', now } as const;
      const signal = untilDisconnected(reply.raw);
      const token = request.token?.id;
      const context = { store, version, clock, viewer, signal, token };
      const { format } = asked;
      const render = (source: ReportSource, as: RenderedAs) => renderer.render(source, as, { signal, token });
      if (format === 'json' && wantsProgress(request)) {
        return answerWithProgress(request, reply, unsent, async (progress) => {
          // The page, which shows the tables as they are.
          const language = answerLanguage(request.headers['accept-language']);
          const source = await gatherReport({ ...context, language, progress }, asked, now);
          if (source.view === 'monthly') return (await render(source, 'json-line')).bytes;
          const document: JsonBytes<object> = source.document;
          const madeAt = asked.stamp === null ? {} : { madeAt: new Date(asked.stamp).toISOString() };
          return joinJson(document, writeJson(madeAt));
        });
      }
      unsent.admit(request);
      const report = await render(await gatherReport(context, asked, now), format);
      const kind = DISPLAYED.includes(format) ? 'inline' : 'attachment';
      reply.headers({
        'content-type': MEDIA_TYPES[format],
        'content-disposition': `${kind}; filename="${toFileName(report, format)}"`,
        // The report has an inline style sheet; nothing else in it may be active.
        ...(format === 'html' ? { 'content-security-policy': `${HTML_POLICY}; frame-ancestors 'none'` } : {}),
      });
      return reply.send(report.bytes);
    },
  });
}
