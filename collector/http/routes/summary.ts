import { Type } from 'typebox';
import { parseSummaryQuery } from '../../query/parse-summary-query.ts';
import { runSummary } from '../../query/run-summary.ts';
import type { AppDeps } from '../app-deps.ts';
import { ERRORS } from '../schemas/common-schemas.ts';
import { SummarySchema } from '../schemas/summary-schema.ts';
import type { TypedApp } from '../typed-app.ts';

/** Each parameter once or several times; parseSummaryQuery knows which there are. */
const ParametersSchema = Type.Record(Type.String(), Type.Union([Type.String(), Type.Array(Type.String())]));

export function summaryRoute(app: TypedApp, deps: Pick<AppDeps, 'store' | 'clock' | 'version'>): void {
  app.get('/api/v1/summary', {
    config: { allow: ['read', 'admin'] },
    schema: { querystring: ParametersSchema, response: { 200: SummarySchema, ...ERRORS } },
    handler: (request) => runSummary(deps.store, parseSummaryQuery(request.query, deps.clock()), deps.version),
  });
}
