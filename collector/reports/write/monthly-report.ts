import type { NamesOfApps } from '../../../shared/settings/app-names.ts';
import { countPageViews, type PageViews, sumPageViews } from '../document/page-views.ts';
import type { MonthlyData, ReportRequest } from '../document/report-request.ts';
import type { ReportTexts } from '../language/english.ts';
import { filterText, subtitleText } from '../language/period-text.ts';
import { engineersSection } from './engineers-section.ts';
import { managementSection } from './management-section.ts';
import type { Written } from './method-section.ts';

/** The report that people pass on: one page for management, tables for engineers, and how it was made. */
export function monthlyReport(
  data: MonthlyData,
  { zone }: ReportRequest,
  texts: ReportTexts,
  apps: NamesOfApps,
): Written {
  const { query, method, whole, beforeHash } = data;
  const { monthly: words } = texts;
  const pageViews = countPageViews(data.cells);
  return {
    title: words.title,
    subtitle: subtitleText(query.range, zone, filterText(method.filters, texts, apps), texts),
    dated: query.range.to,
    sections:
      whole !== null
        ? [managementSection(data, whole, pageViews, texts, apps, zone), engineersSection(data, whole, texts)]
        : method.folded == null
          ? []
          : [{ title: words.forManagement, blocks: [{ kind: 'text', text: words.tooFewToShow }] }],
    method,
    before: query.before,
    counted: whole,
    accounting: [
      ...words.accounting(query.accounting, zone, data.outliers),
      ...(data.wholeBefore === null || beforeHash === null ? [] : [words.beforeHash(beforeHash)]),
      ...(data.beforeKept ? [] : [words.beforeExpired]),
    ],
    answeredFrom: answeredFrom(data, texts),
    data: dataOf(data, pageViews),
  };
}

/** Stated if the accounting determines what the numbers are read from. */
function answeredFrom({ query, answeredFrom: from, exactQuartiles }: MonthlyData, { monthly: words }: ReportTexts) {
  const { outliers, hours } = query.accounting;
  return [
    ...(outliers.rule !== 'none' ? [words.withoutRollups] : hours === null ? [] : [words.hoursFrom[from]]),
    ...(exactQuartiles === null ? [] : [exactQuartiles ? words.exactFences : words.sketchedFences]),
  ];
}

/** What the json format prints: the numbers of every table and sentence, unrounded. */
function dataOf({ query, method, ...data }: MonthlyData, pageViews: PageViews) {
  const { first, per, hours, outliers, minN } = query.accounting;
  return {
    view: 'monthly',
    method,
    accounting: {
      first,
      per,
      hours: hours?.text ?? null,
      outliers,
      minN,
      outliersLeftOut: data.outliers,
      exactQuartiles: data.exactQuartiles,
      answeredFrom: data.answeredFrom,
    },
    before: {
      from: new Date(query.before.from).toISOString(),
      to: new Date(query.before.to).toISOString(),
      dataHash: data.beforeHash,
      kept: data.beforeKept,
    },
    pageViews: sumPageViews(pageViews),
    pageViewsBy: pageViews,
    whole: data.whole,
    wholeBefore: data.wholeBefore,
    change: data.change,
    notCompared: data.notCompared,
    findings: data.findings,
    changes: data.changes,
    days: data.days.map(({ at, ...day }) => ({ day: new Date(at).toISOString().slice(0, 10), ...day })),
    scenarios: data.scenarios,
    hosts: data.hosts,
    hostsBefore: data.hostsBefore,
    cells: data.cells,
  };
}
