import { parseSummaryQuery } from '../../questions/asking/parse-summary-query.ts';
import { runSummary } from '../../questions/asking/run-summary.ts';
import type { TypedApp } from '../api/app-deps.ts';
import { SummarySchema } from '../schemas/summary-schema.ts';
import { type QuestionDeps, questionRoute } from './question-route.ts';

export function summaryRoute(app: TypedApp, deps: QuestionDeps): void {
  questionRoute(app, deps, {
    url: '/api/v1/summary',
    schema: SummarySchema,
    answer: ({ store, version, ...more }, parameters, now) =>
      runSummary(store, parseSummaryQuery(parameters, now), version, more),
  });
}
