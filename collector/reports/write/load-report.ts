import { logHistogram } from '../../../shared/statistics/log-histogram.ts';
import type { LoadCounts } from '../../analysis/load/load-counts.ts';
import type { ScenarioLoad } from '../../analysis/load/load-document.ts';
import { codesTable, correctionTable, proofTable, resultsTable, serverTable } from '../../analysis/load/load-tables.ts';
import { phasesView } from '../../analysis/tables/phases-view.ts';
import type { TableDocument } from '../../analysis/tables/table-document.ts';
import { nameScenarios } from '../../analysis/text/name-scenarios.ts';
import type { Report, Section } from '../document/report-document.ts';
import { pickReportTexts } from '../language/report-texts.ts';
import { tableBlock } from './view-report.ts';

export interface LoadReport {
  readonly title: string;
  /** What ran, when, on what. */
  readonly subtitle: string;
  /** What it says, in sentences. */
  readonly points: readonly string[];
  /** Epoch ms of the end. */
  readonly endedAt: number;
  readonly counts: readonly LoadCounts[];
  readonly scenarios: readonly ScenarioLoad[];
  /** Requests a second that were asked for; null if users waited for their answers. */
  readonly rate: number | null;
  /** Counter of the server's CPU time; null without one. */
  readonly cpuCounter: string | null;
  /** What the json format prints. */
  readonly data: object;
}

/** A load as a report: the tables that users' own requests have, and those of a load alone. */
export function loadReport(load: LoadReport): Report {
  const { title, subtitle, points, endedAt, counts, scenarios, rate, cpuCounter, data } = load;
  const texts = pickReportTexts('en');
  const named = counts
    .filter(({ good }) => good > 0)
    .map((each) => {
      const { scenario, aggregate, facts, durationSeconds } = each.toGroup();
      return { name: scenario, aggregate, facts, durationSeconds, failed: aggregate.evidence.excluded.failed ?? 0 };
    });
  const [connect, percentages] = phasesView(named, NO_TABLE, null, texts).tables;
  const tables = [
    resultsTable(scenarios),
    codesTable(scenarios),
    proofTable(scenarios),
    ...(rate === null ? [] : [correctionTable(scenarios, rate)]),
    ...(cpuCounter === null ? [] : [serverTable(scenarios, cpuCounter)]),
    ...(named.length === 0 ? [] : [connect, percentages].filter((table) => table !== undefined)),
  ];
  // In bins that an eye can tell apart; the document has finer ones.
  const lines = named.map(({ name, aggregate }) => ({
    name: nameScenarios(name, texts),
    scenario: name,
    bins: logHistogram(aggregate.times.ttlb).map(({ from, to, count }) => ({
      from: from / 1000,
      to: to / 1000,
      count,
    })),
  }));
  const chart = { kind: 'histogram', lines } as const;
  const histogram = {
    title: texts.titles.histogram,
    blocks: [{ kind: 'chart', title: texts.titles.responseTimes, description: texts.notes.histogram, chart } as const],
  };
  const report = tablesReport({ title, subtitle, points, endedAt, tables, data });
  const [said, ...rest] = report.sections as [Section, ...Section[]];
  return { ...report, sections: [said, histogram, ...rest] };
}

/** Sentences, and the tables that they come from. */
export function tablesReport({
  title,
  subtitle,
  points,
  endedAt,
  tables,
  data,
}: Pick<LoadReport, 'title' | 'subtitle' | 'points' | 'endedAt' | 'data'> & {
  readonly tables: readonly TableDocument[];
}): Report {
  const texts = pickReportTexts('en');
  const blocks = tables.filter(({ rows }) => rows.length > 0).map((table) => tableBlock(table, texts));
  return {
    view: 'load',
    language: 'en',
    title,
    subtitle,
    madeAt: null,
    dated: endedAt,
    sections: [
      { title: null, blocks: [{ kind: 'points', points }] },
      { title: texts.sections.tables, blocks },
    ],
    data,
  };
}

const NO_TABLE: TableDocument = { title: '', columns: [], rows: [], notes: [] };
