import {
  parseCompareQuery,
  parseEvidenceQuery,
  parseHistogramQuery,
  parsePagesQuery,
  parseTimelineQuery,
  parseViewQuery,
} from '../../questions/asking/parse-questions.ts';
import { runProbes } from '../../questions/asking/probes.ts';
import { runEvidence } from '../../questions/asking/run-evidence.ts';
import { runCompare, runHistogram, runPages, runTimeline } from '../../questions/asking/run-questions.ts';
import { parseTlsQuery, runTls } from '../../questions/asking/tls.ts';
import type { TypedApp } from '../api/app-deps.ts';
import {
  CompareSchema,
  EvidenceDocumentSchema,
  HistogramSchema,
  PagesSchema,
  TimelineSchema,
} from '../schemas/answer-schemas.ts';
import { ProbesDocumentSchema } from '../schemas/probes-schema.ts';
import { TlsSchema } from '../schemas/tls-schema.ts';
import { type QuestionDeps, question } from './question-route.ts';

/** Everything that can be asked beside the summary; docs/operations.md has the parameters. */
const QUESTIONS = [
  question('/api/v1/histogram', HistogramSchema, parseHistogramQuery, runHistogram),
  question('/api/v1/timeline', TimelineSchema, parseTimelineQuery, runTimeline),
  question('/api/v1/compare', CompareSchema, parseCompareQuery, runCompare),
  question('/api/v1/pages', PagesSchema, parsePagesQuery, runPages),
  question('/api/v1/evidence', EvidenceDocumentSchema, parseEvidenceQuery, runEvidence),
  question('/api/v1/tls', TlsSchema, parseTlsQuery, runTls),
  question('/api/v1/probes', ProbesDocumentSchema, (all, now) => parseViewQuery(all, now, 'probes'), runProbes),
];

export function questionRoutes(app: TypedApp, deps: QuestionDeps): void {
  for (const route of QUESTIONS) route(app, deps);
}
