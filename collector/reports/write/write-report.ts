import type { NamesOfApps } from '../../../shared/settings/app-names.ts';
import type { TableRow } from '../../analysis/tables/table-document.ts';
import { dimensionWord } from '../../analysis/text/dimension-word.ts';
import { readJson } from '../../lib/json-bytes.ts';
import type { Block, Report, Section } from '../document/report-document.ts';
import type { ReportSource } from '../document/report-request.ts';
import type { ReportTexts } from '../language/english.ts';
import { pickReportTexts } from '../language/report-texts.ts';
import { compareReport } from './compare-report.ts';
import { methodSection, type Written } from './method-section.ts';
import { monthlyReport } from './monthly-report.ts';
import { summaryReport } from './summary-report.ts';
import { viewReport } from './view-report.ts';

/** The report in its reader's language. Large ones take a while, so a server writes them in a thread. */
export function writeReport(source: ReportSource): Report {
  const { view, language, stamp, format } = source.request;
  const texts = pickReportTexts(language);
  const written = writtenBy(source, texts);
  const { title, subtitle, dated, notes = [], data } = written;
  // Programs read the data formats, and know apps by their ids and types by their codes.
  const sections = format === 'csv' ? written.sections : withNames(written.sections, source.apps, texts);
  const paragraphs = (lines: readonly string[]) => lines.map((text): Block => ({ kind: 'text', text }));
  const nothing = texts.empty[view === 'probes' ? 'probes' : 'requests'];
  return {
    view,
    language,
    title,
    subtitle,
    madeAt: stamp === null ? null : new Date(stamp).toISOString(),
    dated,
    sections: [
      ...(sections.length > 0 ? sections : [{ title: texts.sections.figures, blocks: paragraphs(nothing) }]),
      ...(notes.length === 0 ? [] : [{ title: texts.sections.notes, blocks: paragraphs(notes) }]),
      methodSection(written, source.request, texts, source.apps),
    ],
    data,
  };
}

/** Tables with the names of apps for their ids, and with words for our codes. */
function withNames(sections: readonly Section[], apps: NamesOfApps, texts: ReportTexts): Section[] {
  const named = (row: TableRow): TableRow => ({
    ...row,
    ...(typeof row.target === 'string' ? { target: apps.get(row.target) ?? row.target } : {}),
    ...(typeof row.type === 'string' ? { type: dimensionWord('type', row.type, texts) } : {}),
    ...(typeof row.connection === 'string' ? { connection: dimensionWord('connection', row.connection, texts) } : {}),
  });
  return sections.map((section) => ({
    ...section,
    blocks: section.blocks.map((block) =>
      block.kind === 'table' ? { ...block, table: { ...block.table, rows: block.table.rows.map(named) } } : block,
    ),
  }));
}

function writtenBy(source: ReportSource, texts: ReportTexts): Written {
  switch (source.view) {
    case 'summary':
      return summaryReport(readJson(source.document), source.request, texts, source.apps);
    case 'compare':
      return compareReport(readJson(source.document), source.request, texts, source.apps);
    case 'monthly':
      return monthlyReport(
        {
          query: source.request.query,
          ...readJson(source.document),
          changes: source.changes === null ? null : readJson(source.changes),
          annotations: source.annotations,
          journeys: source.journeys,
          keptFrom: source.keptFrom,
          findings: source.findings === null ? null : readJson(source.findings).findings,
          slowGroup: source.slowGroup === null ? null : (readJson(source.slowGroup).cells[0] ?? null),
        },
        source,
        texts,
      );
    default:
      return viewReport(readJson(source.document), source.request, texts, source.apps);
  }
}
