import { hostLabel } from '../../../shared/redact/host-label.ts';
import type { SummaryCell } from '../../analysis/summary/summary-document.ts';
import { column, fillColumns, type TableDocument } from '../../analysis/tables/table-document.ts';
import { nameScenarios } from '../../analysis/text/name-scenarios.ts';
import type { Block, ChartBlock, Section, TableBlock } from '../document/report-document.ts';
import type { MonthlyData } from '../document/report-request.ts';
import type { ReportTexts } from '../language/english.ts';
import { momentText } from '../language/period-text.ts';
import { longestWaitFirst } from './cell-sums.ts';
import { cellTable } from './cell-table.ts';
import { comparePeriods } from './compare-periods.ts';

/** Rows printed per table; the data formats have all of them. */
const SHOWN = 25;

/** What the first page leaves out, then charts and tables, longest wait first. */
export function engineersSection(
  data: MonthlyData,
  whole: SummaryCell,
  inDetail: readonly Block[],
  texts: ReportTexts,
): Section {
  const words = texts.monthly;
  const { accounting } = data.query;
  const hosts = longestWaitFirst(data.hosts);
  const chart = (title: string, description: string, spec: ChartBlock['chart']): ChartBlock => ({
    kind: 'chart',
    title,
    description,
    chart: spec,
  });
  const charts =
    whole.gap === null
      ? []
      : [
          chart(words.averageTitle, words.averageNote, { kind: 'average', cell: whole }),
          chart(words.gapTitle, words.gapNote, { kind: 'gap', gap: whole.gap }),
          chart(words.phasesTitle, words.phasesNote, { kind: 'phases', cell: whole }),
        ];
  const table = (document: TableDocument, shown = SHOWN): TableBlock => ({ kind: 'table', table: document, shown });
  return {
    title: words.forEngineers,
    newPage: true,
    blocks: [
      ...inDetail,
      ...charts,
      table(scenarioTable(data, whole, texts)),
      table(cellTable(words.tables.apps, longestWaitFirst(data.apps), ['target'], texts, accounting)),
      table(cellTable(words.tables.sites, longestWaitFirst(data.sites), ['site'], texts, accounting)),
      table(cellTable(words.tables.hosts, hosts, ['host'], texts, accounting)),
      table(cellTable(words.tables.groups, longestWaitFirst(data.cells), ['host', 'type'], texts, accounting)),
      ...(data.findings === null || data.findings.length === 0 ? [] : [table(findingTable(data.findings, texts))]),
      ...(data.wholeBefore === null ? [] : [table(periodTable(data, hosts, texts))]),
      table(dayTable(data, texts), 31),
    ],
  };
}

function scenarioTable({ scenarios, query }: MonthlyData, whole: SummaryCell, texts: ReportTexts): TableDocument {
  const words = texts.monthly;
  const base = cellTable(words.tables.scenarios, scenarios, ['scenario'], texts, query.accounting);
  const name = (scenario: string) => nameScenarios(scenario, texts);
  const added = (named: unknown) => whole.overheads?.find((one) => name(one.scenario) === named);
  return {
    ...base,
    columns: [
      ...base.columns,
      column('baseline', words.columns.baseline, 'text'),
      column('added', words.columns.added, 'ms'),
      column('ratio', words.columns.ratio, 'ratio'),
    ],
    rows: base.rows.map((row) => {
      const found = added(row.scenario);
      return {
        ...row,
        baseline: found?.baseline == null ? null : name(found.baseline),
        added: found?.median?.ms ?? null,
        ratio: found?.median?.ratio ?? null,
      };
    }),
    notes: [...base.notes, words.scenarioNote],
  };
}

type Findings = NonNullable<MonthlyData['findings']>;

/** An end of the interval of what would be saved, as a share of all waiting. */
function shareOf({ savedMs, savedInterval, savedShare }: Findings[number], end: 0 | 1): number {
  return savedMs === 0 ? 0 : (savedInterval[end] * savedShare) / savedMs;
}

function findingTable(findings: Findings, { monthly: words, summary, compare }: ReportTexts): TableDocument {
  return {
    title: words.tables.findings(findings.length),
    ...fillColumns(findings, [
      ['what', words.columns.found, 'text', ({ text }) => text.title],
      ['n', summary.requests, 'count', ({ affectedRequests }) => affectedRequests],
      ['perRequest', words.columns.perRequest, 'ms', ({ perRequestMs }) => perRequestMs],
      ['users', words.columns.users, 'share', ({ affectedBrowsersShare }) => affectedBrowsersShare],
      ['share', words.columns.share, 'share', ({ savedShare }) => savedShare],
      ['low', compare.columns.low, 'share', (finding) => shareOf(finding, 0)],
      ['high', compare.columns.high, 'share', (finding) => shareOf(finding, 1)],
      ['action', words.columns.what, 'text', ({ text }) => text.action],
    ]),
    notes: [words.findingsNote],
  };
}

function periodTable(
  { hostsBefore, whole, wholeBefore, query }: MonthlyData,
  hosts: readonly SummaryCell[],
  { monthly, dimensions }: ReportTexts,
): TableDocument {
  const { columns, tables, periodsNote, yes, no, allHosts } = monthly;
  const before = new Map(hostsBefore.map((cell) => [cell.host, cell]));
  const compared = (host: string, earlier: SummaryCell | null, later: SummaryCell | null) => ({
    host,
    nBefore: earlier?.phases.ttlb?.n ?? 0,
    nAfter: later?.phases.ttlb?.n ?? 0,
    ...comparePeriods(earlier, later, query),
  });
  const rows = [
    compared(allHosts, wholeBefore, whole),
    ...hosts.map((cell) => compared(hostLabel(cell.host ?? ''), before.get(cell.host) ?? null, cell)),
  ];
  return {
    title: tables.periods,
    ...fillColumns(rows, [
      ['host', dimensions.host, 'text'],
      ['nBefore', columns.nBefore, 'count'],
      ['nAfter', columns.nAfter, 'count'],
      ['medianBefore', columns.medianBefore, 'ms', ({ before }) => before?.median ?? null],
      ['medianAfter', columns.medianAfter, 'ms', ({ now }) => now?.median ?? null],
      ['difference', columns.difference, 'ms'],
      ['meanBefore', columns.meanBefore, 'ms', ({ before }) => before?.mean ?? null],
      ['meanAfter', columns.meanAfter, 'ms', ({ now }) => now?.mean ?? null],
      ['apart', columns.apart, 'text', ({ apart }) => (apart === null ? null : apart ? yes : no)],
    ]),
    notes: [periodsNote],
  };
}

function dayTable({ days }: MonthlyData, texts: ReportTexts): TableDocument {
  const { columns, tables } = texts.monthly;
  const { median, average } = texts.summary;
  return {
    title: tables.days,
    ...fillColumns(days, [
      ['day', columns.day, 'text', ({ at }) => momentText(at, 'UTC', texts, false)],
      ['median', median, 'ms'],
      ['mean', average, 'ms'],
    ]),
    notes: [],
  };
}
