/// <reference path="./svg-to-pdfkit.d.ts" />
import SVGtoPDF from 'svg-to-pdfkit';
import type { DrawChart } from '../../../charts/draw-chart.mjs';
import { type Block, type ChartBlock, type Fact, firstSentence, type Report } from '../../document/report-document.ts';
import { pickReportTexts } from '../../language/report-texts.ts';
import { wrapText } from '../wrap-text.ts';
import { CONTENT_WIDTH, createPage, PAGE, type PdfPage, STYLES, writeText } from './pdf-page.ts';
import { tableKeep, writeTable } from './pdf-table.ts';

const CHART_WIDTH = 680;
const CHART_SCALE = CONTENT_WIDTH / CHART_WIDTH;
const TERM_WIDTH = 112;
/** Rows of tables with bars, of which the first page has as many as it can hold. */
const BAR_ROWS = [8, 6, 5, 4, 3, 2] as const;
/** Indents of points, after their numbers. */
const INDENT = 16;

type PointsBlock = Extract<Block, { kind: 'points' }>;

/** A PDF made without a browser: selectable and accessible text, embedded fonts, the same bytes for the same report. */
export async function renderPdf(report: Report, draw: DrawChart): Promise<Buffer> {
  // A page that can't hold its title and texts with the fewest rows continues on the next one.
  const written = BAR_ROWS.reduce<Pages | null>(
    (done, rows) => (done?.fits ? done : writePages(report, draw, rows)),
    null,
  );
  const { pdf } = (written as Pages).page;
  const chunks: Buffer[] = [];
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
  const done = new Promise<void>((resolve, reject) => {
    pdf.on('end', resolve);
    pdf.on('error', reject);
  });
  pdf.end();
  await done;
  return Buffer.concat(chunks);
}

interface Pages {
  readonly page: PdfPage;
  /** Whether what belongs on the first page is on it. */
  readonly fits: boolean;
}

/** @param rows at most, of each table with bars */
function writePages(report: Report, draw: DrawChart, rows: number): Pages {
  const page = createPage(report);
  let fits: boolean | null = null;
  const { pdf } = page;
  writeText(page, 'H1', report.title, STYLES.title, { after: 2 });
  writeText(page, 'P', report.subtitle, STYLES.note, { after: 2 });
  if (report.madeAt !== null) writeText(page, 'P', pickReportTexts(report.language).madeAt(report.madeAt), STYLES.note);
  let charts = 0;
  for (const { title, newPage, blocks } of report.sections) {
    if (newPage) fits ??= pdf.bufferedPageRange().count === 1;
    if (newPage && fits) page.newPage();
    else page.space(8);
    if (title !== null) writeText(page, 'H2', title, STYLES.heading, { after: 4, keep: keepOf(blocks[0]) });
    blocks.forEach((block, i) => {
      writeBlock(block, blocks[i + 1]);
    });
  }
  writeMargins(page, report);
  return { page, fits: fits ?? true };

  /** The height that has to follow a heading on the same page. */
  function keepOf(first: Block | undefined): number {
    return first?.kind === 'table' ? 5 + tableKeep(page, first, report.language) : 40;
  }

  function writeBlock(block: Block, next: Block | undefined): void {
    switch (block.kind) {
      case 'text':
        // The paragraph before a list stays with it, and the last item does not stand alone on a page.
        writeText(page, 'P', block.text, STYLES.text, {
          after: 5,
          keep: next?.kind === 'points' ? 5 + heightOf(next) : 0,
        });
        return;
      case 'points':
        block.points.forEach((point, i) => {
          const { look, after } = lookOf(block);
          const mark = `${i + 1}.`;
          if (typeof point === 'string') writeText(page, 'P', point, look, { indent: INDENT, mark, after });
          else {
            const keep = 2 * page.lineHeight(look);
            writeText(page, 'P', point.title, { ...look, font: 'bold' }, { indent: INDENT, mark, after: 0, keep });
            writeText(page, 'P', point.text, STYLES.detail, { indent: INDENT, after: after + 1.5 });
          }
        });
        return;
      case 'facts':
        for (const fact of block.facts) writeFact(page, fact);
        page.space(3);
        return;
      case 'table':
        writeTable(
          page,
          block.bar === undefined ? block : { ...block, shown: Math.min(block.shown ?? rows, rows) },
          report.language,
        );
        return;
      case 'chart':
        writeChart(block);
    }
  }

  function heightOf(block: PointsBlock): number {
    const { look, after } = lookOf(block);
    return block.points.reduce((sum, point) => {
      const text = typeof point === 'string' ? point : `${point.title} ${point.text}`;
      const lines = wrapText(text, CONTENT_WIDTH - INDENT, (part) => page.measure(part, look));
      return sum + lines.length * page.lineHeight(look) + after;
    }, 0);
  }

  function writeChart(block: ChartBlock): void {
    const look = { width: CHART_WIDTH, language: report.language, id: `chart-${++charts}`, label: block.title };
    const { svg, width, height } = draw(block.chart, look);
    const size = { width: width * CHART_SCALE, height: height * CHART_SCALE };
    page.space(6);
    writeText(page, 'H3', block.title, STYLES.caption, { after: 3, keep: size.height + 20 });
    page.element(
      'Figure',
      () => {
        // SVGtoPDF takes the size from the picture, whatever its options say.
        pdf.save().translate(PAGE.left, page.y).scale(CHART_SCALE);
        SVGtoPDF(pdf, withoutHalos(svg), 0, 0, {
          assumePt: true,
          fontCallback: (_family, bold) => (bold ? 'bold' : 'regular'),
          // Otherwise unsupported elements would be dropped silently.
          warningCallback: (warning) => {
            throw new Error(`a chart cannot be drawn: ${warning}`);
          },
        });
        pdf.restore();
      },
      undefined,
      { alt: block.description },
    );
    page.y += size.height;
    page.space(2);
    writeText(page, 'P', block.description, STYLES.note, { after: 4 });
  }
}

/** Halos that lie below their text in a browser would hide it here: paint-order is not known to SVGtoPDF. */
function withoutHalos(svg: string): string {
  return svg.replace(/(<g [^>]*paint-order="stroke"[^>]*) stroke="[^"]*"/g, '$1');
}

function lookOf({ small }: PointsBlock) {
  return small ? { look: STYLES.note, after: 1 } : { look: STYLES.text, after: 2.5 };
}

function writeFact(page: PdfPage, [term, text]: Fact): void {
  const style = { size: 8.2 };
  const lines = wrapText(text, CONTENT_WIDTH - TERM_WIDTH, (part) => page.measure(part, style));
  const terms = wrapText(term, TERM_WIDTH - 8, (part) => page.measure(part, style));
  const height = page.lineHeight(style);
  page.ensure(Math.max(lines.length, terms.length) * height + 3);
  page.element('P', () => {
    terms.forEach((line, i) => {
      page.line(line, PAGE.left, page.y + i * height, { ...style, colour: '#505a66' });
    });
    lines.forEach((line, i) => {
      page.line(line, PAGE.left + TERM_WIDTH, page.y + i * height, style);
    });
  });
  page.y += Math.max(lines.length, terms.length) * height + 3;
}

/** Title and period above every page but the first, and page numbers, whose total is known only at the end. */
function writeMargins(page: PdfPage, { title, subtitle, language }: Report): void {
  const { start, count } = page.pdf.bufferedPageRange();
  const style = { size: 7.2, colour: '#505a66' };
  const right = PAGE.width - PAGE.right;
  for (let i = 0; i < count; i++) {
    page.pdf.switchToPage(start + i);
    page.pdf.markContent('Artifact', { type: 'Pagination' });
    if (i > 0) {
      const half = wrapText(firstSentence(subtitle), CONTENT_WIDTH / 2, (text) => page.measure(text, style))[0] ?? '';
      page.line(title, PAGE.left, 28, style);
      page.line(half, PAGE.left, 28, style, { right });
    }
    page.line('Lastbyte', PAGE.left, PAGE.height - 34, style);
    page.line(pickReportTexts(language).pageOf(i + 1, count), PAGE.left, PAGE.height - 34, style, { right });
    page.pdf.endMarkedContent();
  }
}
