import { journeysTable } from '../../analysis/tables/journeys-table.ts';
import { countPageViews, type PageViews, sumPageViews } from '../document/page-views.ts';
import type { Block, Section } from '../document/report-document.ts';
import type { MonthlyData, ReportSource } from '../document/report-request.ts';
import type { ReportTexts } from '../language/english.ts';
import { filterText, momentText, monthText, subtitleText } from '../language/period-text.ts';
import { engineersSection } from './engineers-section.ts';
import { firstPage } from './first-page.ts';
import { inDetail } from './in-detail.ts';
import type { Written } from './method-section.ts';
import { nameEvents } from './name-events.ts';

/** The report that people pass on: one page to decide from, tables for engineers, and how it was made. */
export function monthlyReport(
  data: MonthlyData,
  { request: { zone }, apps, organisation }: ReportSource & { readonly view: 'monthly' },
  texts: ReportTexts,
): Written {
  const { query, method, whole, beforeHash } = data;
  const { monthly: words } = texts;
  const pageViews = countPageViews(data.cells);
  const month = monthText(query.range, zone, texts);
  const period = subtitleText(query.range, zone, filterText(method.filters, texts, apps), texts);
  const events = nameEvents(data, texts, apps, zone);
  return {
    title: [month ?? words.title, ...(organisation === null ? [] : [organisation])].join(' · '),
    subtitle: month === null ? period : `${words.title}, ${period}`,
    dated: query.range.to,
    sections:
      whole !== null
        ? [
            ...firstPage(data, whole, pageViews, events, texts, zone),
            ...journeysSection(data, texts, zone),
            engineersSection(data, whole, inDetail(data, whole, pageViews, events, texts, zone), texts),
          ]
        : method.folded == null
          ? journeysSection(data, texts, zone)
          : [{ title: texts.sections.figures, blocks: [{ kind: 'text', text: words.tooFewToShow }] }],
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

/** None without journeys. */
function journeysSection({ journeys, query, keptFrom }: MonthlyData, texts: ReportTexts, zone: string): Section[] {
  if (journeys.length === 0) return [];
  const { availability, runsFrom, allHours } = texts.monthly;
  const timeOf = (at: number) => momentText(at, zone, texts, true);
  const table = journeysTable(journeys, texts, timeOf);
  const limits = [
    ...(query.accounting.hours === null ? [] : [allHours]),
    ...(keptFrom > query.range.from ? [runsFrom(timeOf(keptFrom))] : []),
  ];
  const block: Block = { kind: 'table', table: { ...table, notes: [...table.notes, ...limits] } };
  return [{ title: availability, newPage: true, blocks: [block] }];
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
    changes: data.changes?.changes ?? null,
    journeys: data.journeys,
    journeysFrom: data.keptFrom > query.range.from ? new Date(data.keptFrom).toISOString() : null,
    days: data.days.map(({ at, ...day }) => ({ day: new Date(at).toISOString().slice(0, 10), ...day })),
    scenarios: data.scenarios,
    hosts: data.hosts,
    hostsBefore: data.hostsBefore,
    apps: data.apps,
    appsBefore: data.appsBefore,
    sites: data.sites,
    sitesBefore: data.sitesBefore,
    cells: data.cells,
  };
}
