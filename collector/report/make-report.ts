import type { Asker } from '../query/asker.ts';
import { runProbes } from '../query/probes.ts';
import { runCompare, runView } from '../query/run-questions.ts';
import { runSummary } from '../query/run-summary.ts';
import { momentOf, wallTime } from '../time/zoned-time.ts';
import { compareReport } from './compare-report.ts';
import { gatherMonthly } from './monthly/gather-monthly.ts';
import { monthlyReport } from './monthly/monthly-report.ts';
import { rangeBefore } from './monthly-range.ts';
import type { Report } from './report-document.ts';
import type { MonthlyQuery, ReportRequest } from './report-request.ts';
import { summaryReport } from './summary-report.ts';
import { viewReport } from './view-report.ts';

const HOUR_MS = 3_600_000;

/** Asks the store and writes the report. Throws a StoreError. */
export async function makeReport(asker: Asker, request: ReportRequest, now: number): Promise<Report> {
  switch (request.view) {
    case 'summary': {
      const { store, version, ...more } = asker;
      return summaryReport(await runSummary(store, request.query, version, more), request);
    }
    case 'compare':
      return compareReport(await runCompare(asker, request.query), request);
    case 'monthly': {
      const query = request.query.usual ? await notEmpty(asker, request.query, request.zone, now) : request.query;
      return monthlyReport(await gatherMonthly(asker, query, request.zone), request);
    }
    case 'probes':
      return viewReport(await runProbes(asker, request.query), request);
    default:
      return viewReport(await runView(asker, request.query), request);
  }
}

/** Nobody named a range, and nothing was measured last month: then it is this month, as far as it has come. */
async function notEmpty(
  { store, signal, token }: Asker,
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
