import type { NamesOfApps } from '../../../shared/settings/app-names.ts';
import {
  column,
  type TableColumn,
  type TableDocument,
  type TableRow,
  type ViewDocument,
} from '../../analysis/tables/table-document.ts';
import { keepMeasuringText } from '../../analysis/text/finding-text.ts';
import { nameScenarios } from '../../analysis/text/name-scenarios.ts';
import { wordFor } from '../../analysis/text/word-for.ts';
import type { HistogramLine } from '../../charts/chart-spec.ts';
import type { ReportDocument } from '../../questions/view.ts';
import type { Block, Section } from '../document/report-document.ts';
import type { ReportRequest } from '../document/report-request.ts';
import type { ReportTexts } from '../language/english.ts';
import { filterText, subtitleText } from '../language/period-text.ts';
import type { Written } from './method-section.ts';

/** A chart shows every bin of a histogram; as rows, only this many are printed. */
const SHOWN_ROWS = { histogram: 40, resultCodes: 60, pages: 60, trend: 60 } as const;
const MAX_DRAWN = 8;
/** Columns whose text is ours to translate; all other text is a name from someone's page. */
const OUR_WORDS = new Set(['time', 'over', 'lengthStable', 'source', 'code', 'reason', 'version', 'cipher']);

/** Columns with scenarios, or with groups that are named after one. */
const SCENARIOS = new Set(['scenario', 'run', 'name']);

/** A view as a report: its tables unchanged, the histogram drawn, the method below. */
export function viewReport(
  document: ReportDocument,
  { zone }: ReportRequest,
  texts: ReportTexts,
  apps: NamesOfApps,
): Written {
  const { method, view } = document;
  const { titles, sections } = texts;
  const range = { from: Date.parse(method.from), to: Date.parse(method.to) };
  // The table of percentages has its rows even if nothing was measured.
  const measured = view.tables.some(({ title, rows }) => rows.length > 0 && title !== titles.percentages);
  return {
    title: view.title,
    subtitle: subtitleText(range, zone, filterText(method.filters, texts, apps), texts),
    dated: range.to,
    sections: measured
      ? [
          ...pictures(view, texts),
          { title: sections.tables, blocks: view.tables.map((table) => tableBlock(table, texts)) },
        ]
      : [],
    notes: view.notes,
    method,
    data: document,
  };
}

export function tableBlock(table: TableDocument, texts: ReportTexts): Block {
  const [, shown] =
    Object.entries(SHOWN_ROWS).find(([name]) => texts.titles[name as keyof typeof SHOWN_ROWS] === table.title) ?? [];
  return { kind: 'table', table: readableTable(table, texts), ...(shown === undefined ? {} : { shown }) };
}

function pictures({ view, tables }: ViewDocument, texts: ReportTexts): Section[] {
  const { titles, notes, cells } = texts;
  const histogram = tables.find(({ title }) => title === titles.histogram);
  if (view !== 'scenarios' || histogram === undefined || histogram.rows.length === 0) return [];
  const lines = new Map<string, HistogramLine>();
  for (const row of histogram.rows) {
    const name = `${nameScenarios(String(row.scenario), texts)}, ${wordFor(cells, String(row.source))}`;
    const bin = { from: Number(row.from), to: Number(row.to), count: Number(row.count) };
    const bins = [...(lines.get(name)?.bins ?? []), bin];
    lines.set(name, { name, scenario: String(row.scenario), bins });
  }
  const chart = { kind: 'histogram', lines: [...lines.values()].slice(0, MAX_DRAWN) } as const;
  return [
    {
      title: titles.histogram,
      blocks: [{ kind: 'chart', title: titles.responseTimes, description: notes.histogram, chart }],
    },
  ];
}

/** A view's table for readers: timestamps as times, codes as words. */
export function readableTable(table: TableDocument, texts: ReportTexts): TableDocument {
  const moments = table.columns.filter(isMoment).map(({ name }) => name);
  return {
    title: nameScenarios(table.title, texts),
    columns: table.columns.map((one) =>
      isMoment(one)
        ? column(one.name, texts.columns[one.name === 'at' ? 'at' : 'from'], 'text')
        : { ...one, label: nameScenarios(one.label, texts) },
    ),
    notes: table.notes.map((note) => nameScenarios(note, texts)),
    rows: table.rows.map((row) => readableRow(row, moments, texts)),
  };
}

/** Epoch milliseconds. */
function isMoment({ name, unit }: TableColumn): boolean {
  return unit === 'number' && (name === 'from' || name === 'at');
}

function readableRow(row: TableRow, moments: readonly string[], texts: ReportTexts): TableRow {
  const changed: Record<string, string | number | null> = { ...row };
  for (const name of moments) {
    const at = row[name];
    if (typeof at === 'number') changed[name] = `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')}Z`;
  }
  if (typeof row.keepMeasuring === 'string') changed.keepMeasuring = keepMeasuringText(row.keepMeasuring, texts);
  for (const [name, value] of Object.entries(changed)) {
    if (typeof value !== 'string') continue;
    if (OUR_WORDS.has(name)) changed[name] = wordFor(texts.cells, value);
    if (SCENARIOS.has(name)) changed[name] = nameScenarios(value, texts);
  }
  return changed;
}
