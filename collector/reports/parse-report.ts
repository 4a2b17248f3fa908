import { FORMATS, REPORT_VIEWS } from '../../shared/settings/report-choices.ts';
import { ASKED_DIMENSIONS, toExclusionName } from '../../shared/vocabulary/dimensions.ts';
import { LANGUAGES } from '../analysis/text/language.ts';
import { parseBusinessHours } from '../analysis/time/business-hours.ts';
import { compare } from '../questions/compare.ts';
import { checkRange, invalid, type QueryReader, type QueryString, readQueryString } from '../questions/query-string.ts';
import { summary } from '../questions/summary.ts';
import { view as viewQuestion } from '../questions/view.ts';
import type { Format, ReportView } from './document/report-document.ts';
import type { MonthlyQuery, ReportRequest } from './document/report-request.ts';
import { type Accounting, DEFAULT_ACCOUNTING, parseOutliers } from './document/report-request.ts';
import { lastMonth, monthNamed, rangeBefore } from './monthly-range.ts';

/** Parameters of every report, whatever its view. */
const OF_REPORT = ['view', 'format', 'lang', 'zone', 'stamp'] as const;
/** How the monthly report counts. */
const OF_ACCOUNTING = ['first', 'per', 'hours', 'outliers', 'minN'] as const;
const OF_MONTHLY = [
  'from',
  'to',
  'month',
  'beforeFrom',
  'beforeTo',
  'exact',
  ...OF_ACCOUNTING,
  ...ASKED_DIMENSIONS,
  ...ASKED_DIMENSIONS.map(toExclusionName),
] as const;
/** The monthly report is about users: probes are in it only on request. */
const USERS = { source: ['page'] } as const;
const MAX_MIN_N = 1_000_000;
const DEFAULT_ZONE = 'UTC';

/**
 * One report from its parameters: the same names for HTTP, the command line and the schedule. Parameters that are not
 * the report's own go to its view. Throws a QueryError that lists what would be valid.
 */
export function parseReport(parameters: QueryString, now: number, usualFormat: Format = 'json'): ReportRequest {
  const [own, rest] = divide(parameters);
  const read = readQueryString(own, OF_REPORT);
  const view = read.word('view', REPORT_VIEWS, 'monthly');
  const zone = read.zone('zone') ?? DEFAULT_ZONE;
  const common = {
    language: read.word('lang', LANGUAGES, 'en'),
    zone,
    stamp: read.flag('stamp') ? now : null,
    format: read.word('format', FORMATS, usualFormat),
  };
  return { ...common, ...queryOf(view, rest, now, zone) } as ReportRequest;
}

function queryOf(view: ReportView, rest: QueryString, now: number, zone: string) {
  switch (view) {
    case 'summary':
      return { view, query: summary.parse(rest, now) };
    case 'compare':
      return { view, query: compare.parse(rest, now) };
    case 'monthly':
      return { view, query: parseMonthly(rest, now, zone) };
    default:
      return { view, query: { ...viewQuestion.parse(rest, now), view } };
  }
}

/** Splits off the report's own parameters, which the parser of its view does not know. */
function divide(parameters: QueryString): [own: QueryString, rest: QueryString] {
  const entries = Object.entries(parameters).filter(([, value]) => value !== undefined);
  const isOwn = ([name]: (typeof entries)[number]) => (OF_REPORT as readonly string[]).includes(name);
  return [Object.fromEntries(entries.filter(isOwn)), Object.fromEntries(entries.filter((entry) => !isOwn(entry)))];
}

function parseMonthly(parameters: QueryString, now: number, zone: string): MonthlyQuery {
  const read = readQueryString(parameters, OF_MONTHLY);
  const { range, usual } = monthlyRange(read, now, zone);
  const to = read.time('beforeTo');
  const from = read.time('beforeFrom');
  const usualBefore = rangeBefore(range, zone);
  const end = to ?? (from === null ? usualBefore.to : range.from);
  const begin = from ?? (to === null ? usualBefore.from : end - (range.to - range.from));
  return {
    range,
    usual,
    before: checkRange({ from: begin, to: end }, 'beforeFrom is not before beforeTo'),
    filters: { ...USERS, ...read.filters(ASKED_DIMENSIONS) },
    exact: read.flag('exact'),
    accounting: accountingOf(read),
  };
}

function monthlyRange(read: QueryReader, now: number, zone: string) {
  const month = read.once('month');
  const [from, to] = [read.time('from'), read.time('to')];
  if (month !== null) {
    const range = monthNamed(month, zone);
    if (range === null) throw invalid(`month is “${month.slice(0, 40)}”`, 'Write it as 2026-10.');
    if (from !== null || to !== null) throw invalid('month is given beside from or to', 'Give one or the other.');
    return { range, usual: false };
  }
  if (from === null && to === null) return { range: lastMonth(now, zone), usual: true };
  return { range: checkRange({ from: from ?? lastMonth(to ?? now, zone).from, to: to ?? now }), usual: false };
}

function accountingOf(read: QueryReader): Accounting {
  const hours = read.once('hours');
  const parsed = hours === null ? null : parseBusinessHours(hours);
  if (hours !== null && parsed === null) {
    throw invalid(
      `hours is “${hours.slice(0, 40)}”`,
      'Write days and times as Mon-Fri 08:00-18:00 or Mon,Wed 09:00-12:30, with Mon, Tue, Wed, Thu, Fri, Sat, Sun.',
    );
  }
  const text = read.once('outliers') ?? 'none';
  const outliers = parseOutliers(text);
  if (outliers === null) {
    throw invalid(`outliers is “${text.slice(0, 40)}”`, 'It takes none, tukey, or cap:MS such as cap:10000.');
  }
  return {
    first: read.word('first', ['median', 'average'], DEFAULT_ACCOUNTING.first),
    per: read.word('per', ['connection', 'request'], DEFAULT_ACCOUNTING.per),
    hours: parsed,
    outliers,
    minN: read.whole('minN', { min: 1, max: MAX_MIN_N }, DEFAULT_ACCOUNTING.minN),
  };
}
