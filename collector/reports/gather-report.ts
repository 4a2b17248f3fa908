import { appNames } from '../../shared/settings/app-names.ts';
import { journeyRules } from '../analysis/probes/journey-rules.ts';
import type { Language } from '../analysis/text/language.ts';
import { wallTime, zonedMoment } from '../analysis/time/zoned-time.ts';
import { changes } from '../questions/changes.ts';
import { compare } from '../questions/compare.ts';
import { findings } from '../questions/findings.ts';
import { JOURNEYS } from '../questions/journeys.ts';
import { monthly } from '../questions/monthly.ts';
import { probes } from '../questions/probes.ts';
import { prepare, type QueryContext } from '../questions/query-context.ts';
import { summary } from '../questions/summary.ts';
import { view } from '../questions/view.ts';
import { currentSettings } from '../storage/current-settings.ts';
import { whereKept } from '../storage/store-error.ts';
import type { MonthlyQuery, ReportRequest, ReportSource } from './document/report-request.ts';
import { rangeBefore } from './monthly-range.ts';

const HOUR_MS = 3_600_000;

/** The language of the store's answers: JSON is for programs, and English in every report, unless the page asks for it. */
export function documentLanguage({ format, language }: Pick<ReportRequest, 'format' | 'language'>): Language {
  return format === 'json' ? 'en' : language;
}

/** Queries the store. Throws a StoreError. */
export async function gatherReport(given: QueryContext, request: ReportRequest, now: number): Promise<ReportSource> {
  const language = request.format === 'json' ? (given.language ?? 'en') : documentLanguage(request);
  const context = { ...given, language };
  const { settings } = await currentSettings(given.store.settings);
  const apps = appNames(settings.targets);
  switch (request.view) {
    case 'summary':
      return { view: request.view, request, apps, document: await askSummary(context, request) };
    case 'compare':
      return { view: request.view, request, apps, document: await compare.ask(context, request.query) };
    case 'monthly': {
      const asked = request.query.usual ? await notEmpty(context, request.query, request.zone, now) : request.query;
      const { query, ...answers } = await gatherMonthly(context, asked, request.zone);
      const organisation = settings.reports?.organisation ?? null;
      return { view: request.view, request: { ...request, query }, apps, organisation, ...answers };
    }
    case 'probes':
      return { view: request.view, request, apps, document: await probes.ask(context, request.query) };
    default:
      return { view: request.view, request, apps, document: await view.ask(context, request.query) };
  }
}

/** With what slow requests have in common, while samples are kept: sentences name it, tables and programs ask for it. */
async function askSummary(context: QueryContext, { query, format }: ReportRequest & { readonly view: 'summary' }) {
  if (format === 'json' || format === 'csv') return summary.ask(context, query);
  const include = [...new Set([...query.include, 'slowGroup' as const, 'abandoned' as const, 'httpsCost' as const])];
  return (await whereKept(() => summary.ask(context, { ...query, include }))) ?? summary.ask(context, query);
}

/** Without a given range, this month so far replaces a last month without data. */
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
  const range = { from: zonedMoment(zone, year, month, 1), to: Math.ceil((now + 1) / HOUR_MS) * HOUR_MS };
  const { samples: newer } = await store.samples.distributions({ range, filters: {}, by: [], time: 'ttlb' }, watch);
  return newer === 0 ? query : { ...query, range, before: rangeBefore(range, zone) };
}

/**
 * Queries all numbers of the monthly report at once, for the part of the periods that is kept. Throws a StoreError, or
 * a QueryError if the range has too many days.
 */
async function gatherMonthly(
  context: QueryContext,
  asked: MonthlyQuery,
  zone: string,
): Promise<
  { readonly query: MonthlyQuery } & Pick<
    ReportSource & { readonly view: 'monthly' },
    'document' | 'findings' | 'slowGroup' | 'changes' | 'annotations' | 'journeys' | 'keptFrom'
  >
> {
  const prepared = await prepare(context, asked.range);
  const { range, before, filters, exact, accounting } = asked;
  const { hours, outliers } = accounting;
  const plan = await monthly.plan({ range, before, filters, exact, outliers, hours, zone }, prepared);
  const query = { ...asked, range: plan.now, before: plan.before };
  const document = await monthly.answerTo(context, prepared, plan);
  const period = { range: plan.now, filters, zone };
  const { source: _users, ...ofRuns } = filters;
  const rules = journeyRules((await prepared.settings()).probes?.schedule ?? []);
  return {
    query,
    document,
    findings: await whereKept(async () =>
      findings.answerTo(context, prepared, await findings.plan({ ...period, language: prepared.language }, prepared)),
    ),
    // Of business hours or without outliers, other requests are slow.
    slowGroup:
      hours !== null || outliers.rule !== 'none'
        ? null
        : await whereKept(() =>
            summary.answerTo(context, prepared, {
              range: plan.now,
              filters,
              by: [],
              exact: false,
              include: ['slowGroup', 'abandoned', 'httpsCost'],
              above: [],
              ...prepared.rule,
              nameBrowsers: prepared.nameBrowsers,
            }),
          ),
    changes: await whereKept(async () =>
      changes.answerTo(context, prepared, await changes.plan(period, { ...prepared, range: plan.now })),
    ),
    annotations: await context.store.annotations.list(plan.now),
    journeys: await context.store.samples.read(
      JOURNEYS,
      { range: plan.now, filters: ofRuns, ...rules, ...prepared.rule },
      context,
    ),
    keptFrom: await context.store.maintenance.keptFrom(),
  };
}
