import { readJson } from '../../lib/json-bytes.ts';
import type { Block, Report } from '../document/report-document.ts';
import type { ReportSource } from '../document/report-request.ts';
import type { ReportTexts } from '../language/english.ts';
import { reportTextsOf } from '../language/report-texts.ts';
import { compareReport } from './compare-report.ts';
import { methodSection, type Written } from './method-section.ts';
import { monthlyReport } from './monthly-report.ts';
import { summaryReport } from './summary-report.ts';
import { viewReport } from './view-report.ts';

/** The report in its reader's language. Large ones take a while, so a server writes them in a thread. */
export function writeReport(source: ReportSource): Report {
  const { view, language, stamp } = source.request;
  const texts = reportTextsOf(language);
  const written = writtenBy(source, texts);
  const { title, subtitle, dated, sections, notes = [], data } = written;
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
      methodSection(written, source.request, texts),
    ],
    data,
  };
}

function writtenBy(source: ReportSource, texts: ReportTexts): Written {
  switch (source.view) {
    case 'summary':
      return summaryReport(readJson(source.document), source.request, texts);
    case 'compare':
      return compareReport(readJson(source.document), source.request, texts);
    case 'monthly':
      return monthlyReport({ query: source.request.query, ...readJson(source.document) }, source.request, texts);
    default:
      return viewReport(readJson(source.document), source.request, texts);
  }
}
