import { emptySection } from '../empty-section.ts';
import { filterText } from '../filter-text.ts';
import { wordsOf } from '../language/words.ts';
import { methodSection } from '../method-section.ts';
import { periodText } from '../period-words.ts';
import type { Report, Section } from '../report-document.ts';
import type { ReportRequest } from '../report-request.ts';
import { engineersSection } from './engineers-section.ts';
import { fixesOf, pageViewsOf } from './fixes.ts';
import { managementSection } from './management-section.ts';
import type { MonthlyData } from './monthly-data.ts';
import { monthlyWordsOf } from './monthly-words.ts';

/** The report that people hand on: one page for management, tables for engineers, and how it was made. */
export function monthlyReport(data: MonthlyData, request: ReportRequest & { view: 'monthly' }): Report {
  const { language, zone, stamp } = request;
  const { query, method, whole } = data;
  const words = wordsOf(language);
  const own = monthlyWordsOf(language);
  const filters = filterText(method.filters, own.users);
  const fixes = fixesOf(data.cells, query.accounting.minN);
  const seen = { fixes, pageViews: pageViewsOf(data.cells) };
  const asked: ReportRequest = { ...request, query };
  const body: Section[] =
    whole === null
      ? [data.method.folded == null ? emptySection(language) : tooFew(own.forManagement, own.tooFewToShow)]
      : [managementSection(data, whole, seen, language), engineersSection(data, whole, seen, language)];
  return {
    view: 'monthly',
    language,
    title: own.title,
    subtitle: [periodText(query.range, zone, language), ...(filters === '' ? [] : [words.only(filters)])].join('. '),
    madeAt: stamp === null ? null : new Date(stamp).toISOString(),
    dated: query.range.to,
    sections: [
      ...body,
      methodSection(method, asked, {
        before: query.before,
        counted: whole,
        accounting: [
          ...own.accounting(query.accounting, zone, data.outliers),
          ...(data.wholeBefore === null || data.beforeHash === null ? [] : [own.beforeHash(data.beforeHash)]),
          ...(data.beforeKept ? [] : [own.beforeExpired]),
        ],
        answeredFrom: own.answeredFrom(data),
      }),
    ],
    data: dataOf(data, seen),
  };
}

function tooFew(title: string, text: string): Section {
  return { title, blocks: [{ kind: 'text', text }] };
}

/** What the format json holds: the numbers of every table and sentence, by their own names. */
function dataOf(
  { query, method, ...data }: MonthlyData,
  { fixes, pageViews }: { fixes: readonly object[]; pageViews: number },
) {
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
    pageViews,
    whole: data.whole,
    wholeBefore: data.wholeBefore,
    change: data.change,
    fixes,
    days: data.days.map(({ at, ...day }) => ({ day: new Date(at).toISOString().slice(0, 10), ...day })),
    scenarios: data.scenarios,
    hosts: data.hosts,
    hostsBefore: data.hostsBefore,
    cells: data.cells,
  };
}
