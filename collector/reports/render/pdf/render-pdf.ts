/// <reference path="./svg-to-pdfkit.d.ts" />
import SVGtoPDF from 'svg-to-pdfkit';
import type { DrawChart } from '../../../charts/draw-chart.mjs';
import type { Block, ChartBlock, Fact, Figure, Report } from '../../document/report-document.ts';
import { pickReportTexts } from '../../language/report-texts.ts';
import { wrapText } from '../wrap-text.ts';
import { CONTENT_WIDTH, createPage, PAGE, type PdfPage, STYLES, writeText } from './pdf-page.ts';
import { tableKeep, writeTable } from './pdf-table.ts';

const CHART_WIDTH = 680;
const CHART_SCALE = CONTENT_WIDTH / CHART_WIDTH;
const FIGURES_A_ROW = 3;
const TERM_WIDTH = 112;
/** Indents of points, after their numbers. */
const INDENT = 16;

type PointsBlock = Extract<Block, { kind: 'points' }>;

/** A PDF made without a browser: selectable and accessible text, embedded fonts, the same bytes for the same report. */
export async function renderPdf(report: Report, draw: DrawChart): Promise<Buffer> {
  const page = createPage(report);
  const { pdf } = page;
  const chunks: Buffer[] = [];
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
  const done = new Promise<void>((resolve, reject) => {
    pdf.on('end', resolve);
    pdf.on('error', reject);
  });
  writeText(page, 'H1', report.title, STYLES.title, { after: 2 });
  writeText(page, 'P', report.subtitle, STYLES.note, { after: 2 });
  if (report.madeAt !== null) writeText(page, 'P', pickReportTexts(report.language).madeAt(report.madeAt), STYLES.note);
  let charts = 0;
  for (const { title, newPage, blocks } of report.sections) {
    if (newPage) page.newPage();
    else page.space(10);
    writeText(page, 'H2', title, STYLES.heading, { after: 5, keep: keepOf(blocks[0]) });
    blocks.forEach((block, i) => {
      writeBlock(block, blocks[i + 1]);
    });
  }
  writeMargins(page, report);
  pdf.end();
  await done;
  return Buffer.concat(chunks);

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
      case 'figures':
        writeFigures(page, block.figures);
        return;
      case 'points':
        block.points.forEach((point, i) => {
          const { look, after } = lookOf(block);
          writeText(page, 'P', point, look, { indent: INDENT, mark: `${i + 1}.`, after });
        });
        return;
      case 'facts':
        for (const fact of block.facts) writeFact(page, fact);
        return;
      case 'table':
        writeTable(page, block, report.language);
        return;
      case 'chart':
        writeChart(block);
    }
  }

  function heightOf(block: PointsBlock): number {
    const { look, after } = lookOf(block);
    return block.points.reduce((sum, point) => {
      const lines = wrapText(point, CONTENT_WIDTH - INDENT, (part) => page.measure(part, look));
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
        SVGtoPDF(pdf, svg, 0, 0, {
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

function lookOf({ small }: PointsBlock) {
  return small ? { look: STYLES.note, after: 1 } : { look: STYLES.text, after: 2.5 };
}

/** Large numbers side by side. */
function writeFigures(page: PdfPage, figures: readonly Figure[]): void {
  const gap = 8;
  const width = (CONTENT_WIDTH - gap * (FIGURES_A_ROW - 1)) / FIGURES_A_ROW;
  const inner = width - 16;
  const [label, value, note] = [{ size: 7.5, colour: '#505a66' }, { size: 17, font: 'bold' as const }, STYLES.note];
  for (let first = 0; first < figures.length; first += FIGURES_A_ROW) {
    const row = figures.slice(first, first + FIGURES_A_ROW).map((figure) => ({
      ...figure,
      notes: wrapText(figure.note, inner, (text) => page.measure(text, note)),
    }));
    const height = 45 + Math.max(...row.map(({ notes }) => notes.length)) * page.lineHeight(note);
    page.ensure(height + gap);
    row.forEach((figure, i) => {
      const x = PAGE.left + i * (width + gap);
      page.pdf.markContent('Artifact', { type: 'Layout' });
      page.pdf.roundedRect(x, page.y, width, height, 4).lineWidth(0.7).stroke('#cfd5dc');
      page.pdf.endMarkedContent();
      page.element('P', () => {
        page.line(figure.label, x + 8, page.y + 7, label);
        page.line(figure.value, x + 8, page.y + 17, value);
        figure.notes.forEach((text, line) => {
          page.line(text, x + 8, page.y + 40 + line * page.lineHeight(note), note);
        });
      });
    });
    page.y += height + gap;
  }
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
      // The period is the first sentence; filters may be of any length.
      const [period = ''] = subtitle.split('. ');
      const half = wrapText(period, CONTENT_WIDTH / 2, (text) => page.measure(text, style))[0] ?? '';
      page.line(title, PAGE.left, 28, style);
      page.line(half, PAGE.left, 28, style, { right });
    }
    page.line('Lastbyte', PAGE.left, PAGE.height - 34, style);
    page.line(pickReportTexts(language).pageOf(i + 1, count), PAGE.left, PAGE.height - 34, style, { right });
    page.pdf.endMarkedContent();
  }
}
