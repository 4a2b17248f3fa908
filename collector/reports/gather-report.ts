import type { SummaryDocument } from '../analysis/summary/summary-document.ts';
import { momentOf, wallTime } from '../analysis/time/zoned-time.ts';
import { type CompareDocument, compare } from '../questions/compare.ts';
import { probes } from '../questions/probes.ts';
import type { QueryContext } from '../questions/query-context.ts';
import { summary } from '../questions/summary.ts';
import { type ReportDocument, view } from '../questions/view.ts';
import type { JsonBytes } from '../storage/json-bytes.ts';
import { gatherMonthly } from './monthly/gather-monthly.ts';
import type { MonthlyDocument } from './monthly/monthly-data.ts';
import { rangeBefore } from './monthly-range.ts';
import type { MonthlyQuery, ReportRequest } from './report-request.ts';

const HOUR_MS = 3_600_000;

interface Gathered<V extends ReportRequest['view'], D> {
  readonly view: V;
  /** Its period is the one that was answered. */
  readonly request: ReportRequest & { readonly view: V };
  readonly document: JsonBytes<D>;
}

/** All that a report is written from, in any format and in any thread: what was asked, as it was answered, and the answer. */
export type ReportSource =
  | Gathered<'summary', SummaryDocument>
  | Gathered<'compare', CompareDocument>
  | Gathered<'monthly', MonthlyDocument>
  | Gathered<'scenarios' | 'phases' | 'pages' | 'ratios' | 'probes', ReportDocument>;

/** Reads the store. Throws a StoreError. */
export async function gatherReport(context: QueryContext, request: ReportRequest, now: number): Promise<ReportSource> {
  switch (request.view) {
    case 'summary':
      return { view: request.view, request, document: await summary.ask(context, request.query) };
    case 'compare':
      return { view: request.view, request, document: await compare.ask(context, request.query) };
    case 'monthly': {
      const asked = request.query.usual ? await notEmpty(context, request.query, request.zone, now) : request.query;
      const { query, document } = await gatherMonthly(context, asked, request.zone);
      return { view: request.view, request: { ...request, query }, document };
    }
    case 'probes':
      return { view: request.view, request, document: await probes.ask(context, request.query) };
    default:
      return { view: request.view, request, document: await view.ask(context, request.query) };
  }
}

/** Nobody named a range, and nothing was measured last month: then it is this month, as far as it has come. */
async function notEmpty(
  { store, signal, token }: QueryContext,
  query: MonthlyQuery,
  zone: string,
  now: number,
): Promise<MonthlyQuery> {
  const watch = { signal, token };
  const { samples } = await store.samples.distributions(
    { range: query.range, filters: {}, by: [], time: 'ttlb' },
    watch,
  );
  if (samples > 0) return query;
  const { year, month } = wallTime(now, zone);
  const range = { from: momentOf(zone, year, month, 1), to: Math.ceil((now + 1) / HOUR_MS) * HOUR_MS };
  const { samples: newer } = await store.samples.distributions({ range, filters: {}, by: [], time: 'ttlb' }, watch);
  return newer === 0 ? query : { ...query, range, before: rangeBefore(range, zone) };
}
