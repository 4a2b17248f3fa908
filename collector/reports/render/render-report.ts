import type { Format, Report } from '../document/report-document.ts';
import { renderCsv } from './render-csv.ts';
import { renderMarkdown } from './render-markdown.ts';
import { renderText } from './render-text.ts';

export const MEDIA_TYPES: Readonly<Record<Format, string>> = {
  html: 'text/html; charset=utf-8',
  pdf: 'application/pdf',
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  text: 'text/plain; charset=utf-8',
};

const EXTENSIONS: Readonly<Record<Format, string>> = {
  html: 'html',
  pdf: 'pdf',
  csv: 'csv',
  json: 'json',
  md: 'md',
  text: 'txt',
};

/** What reports are rendered as: `json-line` is `json` without a line break. */
export type RenderedAs = Format | 'json-line';

/** The bytes of a report. The charts and the PDF library are loaded only when needed. */
export async function renderReport(report: Report, format: RenderedAs): Promise<Buffer> {
  switch (format) {
    case 'html': {
      const [{ renderHtml }, { drawChart }] = await Promise.all([
        import('./html/render-html.ts'),
        import('../../charts/draw-chart.mjs'),
      ]);
      return Buffer.from(renderHtml(report, drawChart));
    }
    case 'pdf': {
      const [{ renderPdf }, { drawChart }] = await Promise.all([
        import('./pdf/render-pdf.ts'),
        import('../../charts/draw-chart.mjs'),
      ]);
      return renderPdf(report, drawChart);
    }
    case 'csv':
      return Buffer.from(renderCsv(report));
    case 'json':
      return Buffer.from(`${JSON.stringify(dataOf(report), null, 2)}\n`);
    case 'json-line':
      return Buffer.from(JSON.stringify(dataOf(report)));
    case 'md':
      return Buffer.from(renderMarkdown(report));
    case 'text':
      return Buffer.from(renderText(report));
  }
}

/** The numbers of a report, unrounded. */
function dataOf({ data, madeAt }: Report): object {
  return madeAt === null ? data : { ...data, madeAt };
}

/** Named by its last day, such as `lastbyte-monthly-2026-09-30.pdf`. */
export function toFileName({ view, dated }: Pick<Report, 'view' | 'dated'>, format: Format): string {
  return `lastbyte-${view}-${new Date(dated - 1).toISOString().slice(0, 10)}.${EXTENSIONS[format]}`;
}
