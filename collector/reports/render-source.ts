import type { Report } from './document/report-document.ts';
import type { ReportSource } from './document/report-request.ts';
import { type RenderedAs, renderReport } from './render/render-report.ts';
import { renderText } from './render/render-text.ts';
import { writeReport } from './write/write-report.ts';

/** A report as bytes, with what its delivery needs to know. */
export interface RenderedReport extends Pick<Report, 'view' | 'title' | 'subtitle' | 'dated'> {
  readonly bytes: Buffer;
  /** Its first page as plain text, for the mail that it is attached to. */
  readonly opening: string;
}

/** Everything between the store's answer and the bytes, so that none of it runs in the calling thread. */
export async function renderSource(source: ReportSource, as: RenderedAs): Promise<RenderedReport> {
  const report = writeReport(source);
  const { view, title, subtitle, dated, sections } = report;
  const bytes = await renderReport(report, as);
  // Of a report without pages, the first section.
  const second = Math.max(
    1,
    sections.findIndex(({ newPage }) => newPage),
  );
  const opening = renderText({ ...report, sections: sections.slice(0, second) });
  return { view, title, subtitle, dated, bytes, opening };
}
