import { hostLabel } from '../../../shared/redact/host-label.ts';
import { whyNotCompared } from '../../../shared/statistics/comparability.ts';
import { intervalsApart } from '../../../shared/statistics/median-interval.ts';
import type { SummaryCell } from '../../analysis/summary/summary-document.ts';
import { column, type TableDocument, type TableRow } from '../../analysis/tables/table-document.ts';
import { countsUsers } from '../../questions/compare.ts';
import type { Block, Section, TableBlock } from '../document/report-document.ts';
import type { MonthlyData } from '../document/report-request.ts';
import type { ReportTexts } from '../language/english.ts';
import { momentText } from '../language/period-text.ts';
import { longestWaitFirst } from './cell-sums.ts';
import { cellTable } from './cell-table.ts';

/** Rows printed per table; the data formats have all of them. */
const SHOWN = 25;

/** Charts and tables, longest wait first. */
export function engineersSection(data: MonthlyData, whole: SummaryCell, texts: ReportTexts): Section {
  const words = texts.monthly;
  const { accounting } = data.query;
  const hosts = longestWaitFirst(data.hosts);
  const charts: Block[] =
    whole.gap === null
      ? []
      : [
          {
            kind: 'chart',
            title: words.averageTitle,
            description: words.averageNote,
            chart: { kind: 'average', cell: whole },
          },
          { kind: 'chart', title: words.gapTitle, description: words.gapNote, chart: { kind: 'gap', gap: whole.gap } },
          {
            kind: 'chart',
            title: words.phasesTitle,
            description: words.phasesNote,
            chart: { kind: 'phases', cell: whole },
          },
        ];
  const table = (document: TableDocument, shown = SHOWN): TableBlock => ({ kind: 'table', table: document, shown });
  return {
    title: words.forEngineers,
    newPage: true,
    blocks: [
      ...charts,
      table(scenarioTable(data, whole, texts)),
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
  const added = (scenario: unknown) => whole.overheads?.find((one) => one.scenario === scenario);
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
        baseline: found?.baseline ?? null,
        added: found?.median?.ms ?? null,
        ratio: found?.median?.ratio ?? null,
      };
    }),
    notes: [...base.notes, words.scenarioNote],
  };
}

function findingTable(
  findings: NonNullable<MonthlyData['findings']>,
  { monthly: words, summary }: ReportTexts,
): TableDocument {
  return {
    title: words.tables.findings(findings.length),
    columns: [
      column('what', words.columns.found, 'text'),
      column('n', summary.requests, 'count'),
      column('perRequest', words.columns.perRequest, 'ms'),
      column('share', words.columns.share, 'share'),
      column('action', words.columns.what, 'text'),
    ],
    rows: findings.map(({ text, affectedRequests, perRequestMs, savedShare }) => ({
      what: text.title,
      n: affectedRequests,
      perRequest: perRequestMs,
      share: savedShare,
      action: text.action,
    })),
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

  function browsersOf(cell: SummaryCell | null): number | null {
    return countsUsers(query.filters) ? (cell?.browsers ?? null) : null;
  }

  function sides(earlier: SummaryCell | null, later: SummaryCell | null): TableRow {
    const enough = (cell: SummaryCell | null) =>
      (cell?.phases.ttlb?.n ?? 0) < query.accounting.minN ? null : (cell?.phases.ttlb ?? null);
    const [a, b] = [enough(earlier), enough(later)];
    const mayCompare =
      a !== null &&
      b !== null &&
      whyNotCompared({ n: a.n, browsers: browsersOf(earlier) }, { n: b.n, browsers: browsersOf(later) }) === null;
    const [one, other] = [a?.medianInterval ?? null, b?.medianInterval ?? null];
    return {
      nBefore: earlier?.phases.ttlb?.n ?? 0,
      nAfter: later?.phases.ttlb?.n ?? 0,
      medianBefore: a?.median ?? null,
      medianAfter: b?.median ?? null,
      difference: mayCompare ? b.median - a.median : null,
      meanBefore: a?.mean ?? null,
      meanAfter: b?.mean ?? null,
      apart: !mayCompare || one === null || other === null ? null : intervalsApart(one, other) ? yes : no,
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
