import { hostLabel } from '../../../shared/redact/host-label.ts';
import type { SummaryCell } from '../../analysis/summary/summary-document.ts';
import { column, type TableDocument, type TableRow } from '../../analysis/tables/table-document.ts';
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

function findingTable(
  findings: NonNullable<MonthlyData['findings']>,
  { monthly: words, summary, compare }: ReportTexts,
): TableDocument {
  return {
    title: words.tables.findings(findings.length),
    columns: [
      column('what', words.columns.found, 'text'),
      column('n', summary.requests, 'count'),
      column('perRequest', words.columns.perRequest, 'ms'),
      column('users', words.columns.users, 'share'),
      column('share', words.columns.share, 'share'),
      column('low', compare.columns.low, 'share'),
      column('high', compare.columns.high, 'share'),
      column('action', words.columns.what, 'text'),
    ],
    rows: findings.map(
      ({ text, affectedRequests, affectedBrowsersShare, perRequestMs, savedMs, savedInterval, savedShare }) => {
        const [low, high] = savedInterval.map((saved) => (savedMs === 0 ? 0 : (saved * savedShare) / savedMs));
        return {
          what: text.title,
          n: affectedRequests,
          perRequest: perRequestMs,
          users: affectedBrowsersShare,
          share: savedShare,
          low: low ?? null,
          high: high ?? null,
          action: text.action,
        };
      },
    ),
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
  const pairs: [string, SummaryCell | null, SummaryCell | null][] = [
    [allHosts, wholeBefore, whole],
    ...hosts.map((cell): [string, SummaryCell | null, SummaryCell | null] => [
      hostLabel(cell.host ?? ''),
      before.get(cell.host) ?? null,
      cell,
    ]),
  ];
  return {
    title: tables.periods,
    columns: [
      column('host', dimensions.host, 'text'),
      column('nBefore', columns.nBefore, 'count'),
      column('nAfter', columns.nAfter, 'count'),
      column('medianBefore', columns.medianBefore, 'ms'),
      column('medianAfter', columns.medianAfter, 'ms'),
      column('difference', columns.difference, 'ms'),
      column('meanBefore', columns.meanBefore, 'ms'),
      column('meanAfter', columns.meanAfter, 'ms'),
      column('apart', columns.apart, 'text'),
    ],
    rows: pairs.map(([host, earlier, later]) => ({ host, ...sides(earlier, later) })),
    notes: [periodsNote],
  };

  function sides(earlier: SummaryCell | null, later: SummaryCell | null): TableRow {
    const { before: a, now: b, difference, apart } = comparePeriods(earlier, later, query);
    return {
      nBefore: earlier?.phases.ttlb?.n ?? 0,
      nAfter: later?.phases.ttlb?.n ?? 0,
      medianBefore: a?.median ?? null,
      medianAfter: b?.median ?? null,
      difference,
      meanBefore: a?.mean ?? null,
      meanAfter: b?.mean ?? null,
      apart: apart === null ? null : apart ? yes : no,
    };
  }
}

function dayTable({ days }: MonthlyData, texts: ReportTexts): TableDocument {
  const { columns, tables } = texts.monthly;
  const { median, average } = texts.summary;
  return {
    title: tables.days,
    columns: [column('day', columns.day, 'text'), column('median', median, 'ms'), column('mean', average, 'ms')],
    rows: days.map(({ at, median: middle, mean }) => ({
      day: momentText(at, 'UTC', texts, false),
      median: middle,
      mean,
    })),
    notes: [],
  };
}
