import {
  parseCompareQuery,
  parseEvidenceQuery,
  parseHistogramQuery,
  parsePagesQuery,
  parseTimelineQuery,
  parseViewQuery,
} from '../../query/parse-questions.ts';
import { runProbes } from '../../query/probes.ts';
import { runEvidence } from '../../query/run-evidence.ts';
import { runCompare, runHistogram, runPages, runTimeline } from '../../query/run-questions.ts';
import { parseTlsQuery, runTls } from '../../query/tls.ts';
import {
  CompareSchema,
  EvidenceDocumentSchema,
  HistogramSchema,
  PagesSchema,
  TimelineSchema,
} from '../schemas/answer-schemas.ts';
import { ProbesDocumentSchema } from '../schemas/probes-schema.ts';
import { TlsSchema } from '../schemas/tls-schema.ts';
import type { TypedApp } from '../typed-app.ts';
import { type QuestionDeps, questionRoute } from './question-route.ts';

/** Everything that can be asked beside the summary; docs/operations.md has the parameters. */
export function questionRoutes(app: TypedApp, deps: QuestionDeps): void {
  questionRoute(app, deps, {
    url: '/api/v1/histogram',
    schema: HistogramSchema,
    answer: (asker, parameters, now) => runHistogram(asker, parseHistogramQuery(parameters, now)),
  });
  questionRoute(app, deps, {
    url: '/api/v1/timeline',
    schema: TimelineSchema,
    answer: (asker, parameters, now) => runTimeline(asker, parseTimelineQuery(parameters, now)),
  });
  questionRoute(app, deps, {
    url: '/api/v1/compare',
    schema: CompareSchema,
    answer: (asker, parameters, now) => runCompare(asker, parseCompareQuery(parameters, now)),
  });
  questionRoute(app, deps, {
    url: '/api/v1/pages',
    schema: PagesSchema,
    answer: (asker, parameters, now) => runPages(asker, parsePagesQuery(parameters, now)),
  });
  questionRoute(app, deps, {
    url: '/api/v1/evidence',
    schema: EvidenceDocumentSchema,
    answer: (asker, parameters, now) => runEvidence(asker, parseEvidenceQuery(parameters, now)),
  });
  questionRoute(app, deps, {
    url: '/api/v1/tls',
    schema: TlsSchema,
    answer: (asker, parameters, now) => runTls(asker, parseTlsQuery(parameters, now)),
  });
  questionRoute(app, deps, {
    url: '/api/v1/probes',
    schema: ProbesDocumentSchema,
    answer: (asker, parameters, now) => runProbes(asker, parseViewQuery(parameters, now, 'probes')),
  });
}
