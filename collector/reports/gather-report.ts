import type { Language } from '../analysis/text/language.ts';
import { momentOf, wallTime } from '../analysis/time/zoned-time.ts';
import { type Asker, prepare } from '../questions/asking/asker.ts';
import { checkSteps, keptBefore } from '../questions/asking/kept-part.ts';
import { runProbes } from '../questions/asking/probes.ts';
import { runCompare, runView } from '../questions/asking/run-questions.ts';
import { runSummary } from '../questions/asking/run-summary.ts';
import { written } from '../questions/computations.ts';
import { type JsonBytes, joinJson, writeJson } from '../storage/json-bytes.ts';
import type { MonthlyDocument } from './document/monthly-document.ts';
import type { MonthlyQuery, ReportRequest, ReportSource } from './document/report-request.ts';
import { rangeBefore } from './monthly-range.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The language of what the store answers: JSON is for programs, and English in every report. */
export function documentLanguage({ format, language }: Pick<ReportRequest, 'format' | 'language'>): Language {
  return format === 'json' ? 'en' : language;
}

/** Queries the store. Throws a StoreError. */
export async function gatherReport(context: Asker, request: ReportRequest, now: number): Promise<ReportSource> {
  const asker = { ...context, language: documentLanguage(request) };
  switch (request.view) {
    case 'summary': {
      const { store, version, ...more } = asker;
      return { view: request.view, request, document: await runSummary(store, request.query, version, more) };
    }
    case 'compare':
      return { view: request.view, request, document: await runCompare(asker, request.query) };
    case 'monthly': {
      const asked = request.query.usual ? await notEmpty(asker, request.query, request.zone, now) : request.query;
      const { query, document } = await gatherMonthly(asker, asked, request.zone);
      return { view: request.view, request: { ...request, query }, document };
    }
    case 'probes':
      return { view: request.view, request, document: await runProbes(asker, request.query) };
    default:
      return { view: request.view, request, document: await runView(asker, request.query) };
  }
}

/** Without a named range, an empty last month is replaced by this month so far. */
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

/**
 * Queries all numbers of the monthly report at once, for the part of the periods that is kept. Throws a StoreError, or a
 * QueryError for a range of too many days.
 */
async function gatherMonthly(
  asker: Asker,
  asked: MonthlyQuery,
  zone: string,
): Promise<{ readonly query: MonthlyQuery; readonly document: JsonBytes<MonthlyDocument> }> {
  const { range, rule, method } = await prepare(asker, asked.range);
  const before = await keptBefore(asker, asked.before, asked.range, range);
  for (const period of [range, before]) checkSteps(period, DAY_MS);
  const query = { ...asked, range, before };
  const { filters, exact, accounting } = query;
  const { hours, outliers } = accounting;
  const question = { now: range, before, filters, exact, outliers, ...rule, hours, zone };
  const { head, rest } = await asker.store.samples.read(written('monthly'), question, asker);
  const front = {
    method: method({ range, filters, by: ['host', 'type'] }, head),
    beforeHash: head.beforeHash,
  };
  return { query, document: joinJson(writeJson(front), rest) };
}
