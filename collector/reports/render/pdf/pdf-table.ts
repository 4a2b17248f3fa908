import type { TableDocument } from '../../../analysis/tables/table-document.ts';
import type { Language } from '../../../analysis/text/language.ts';
import { inPlainColours } from '../../../charts/palette.ts';
import type { BarPart, TableBlock } from '../../document/report-document.ts';
import { pickReportTexts } from '../../language/report-texts.ts';
import { type ColumnPart, splitColumns } from '../split-columns.ts';
import { barPieces, cellText, isNumeric, keyColumns, shownTable, toHeading } from '../table-cells.ts';
import { wrapText } from '../wrap-text.ts';
import { CONTENT_WIDTH, PAGE, type PdfPage, STYLES, type TextStyle, writeText } from './pdf-page.ts';

/** A table that has to be split is set smaller if that makes fewer parts; 6 points are still readable in print. */
const SIZES = [7.2, 6.6, 6] as const;
const GAP = 6;
const PAD = 2.2;
/** Widths that a name and any other text may be wrapped to, points. */
const MIN_KEY = 92;
const MIN_TEXT = 42;
/** A heading may wrap, but is no narrower than this. */
const MIN_HEADING = 30;
/** A bar is at least as wide as this, at most as its column, less the gap and the text. */
const MIN_BAR = 60;
const BAR_GAP = 6;
/** Rows that have to follow the headings before a page break. */
const MIN_ROWS = 3;

type Pieces = ReturnType<typeof barPieces>;

interface Cells {
  readonly headings: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly numeric: readonly boolean[];
  /** Each row's bar, drawn before the text of its last column. */
  readonly bars: readonly Pieces[] | null;
}

/** A table as laid out for the page. */
interface Laid {
  readonly cells: Cells;
  readonly parts: readonly ColumnPart[];
  readonly body: TextStyle;
  readonly head: TextStyle;
}

/** Height that has to fit below a section's heading: the table's title, headings and first rows. */
export function tableKeep(page: PdfPage, block: TableBlock, language: Language): number {
  const shown = shownTable(block, language);
  if (shown.rows.length === 0) return 30;
  const laid = layOut(page, { ...shown, rows: shown.rows.slice(0, MIN_ROWS) }, block.bar, language);
  const [first] = laid.parts;
  return 8 + 3 + page.lineHeight(STYLES.caption) + (first === undefined ? 0 : leastHeight(page, laid, first));
}

/** A table over as many pages as needed: headings repeated on each, no row split, in parts if it is too wide. */
export function writeTable(page: PdfPage, block: TableBlock, language: Language): void {
  const { table } = block;
  const shown = shownTable(block, language);
  const laid = shown.rows.length === 0 ? null : layOut(page, shown, block.bar, language);
  const [first] = laid?.parts ?? [];
  page.space(8);
  writeText(page, 'H3', table.title, STYLES.caption, {
    after: 3,
    keep: laid === null || first === undefined ? 12 : leastHeight(page, laid, first) + 3,
  });
  if (laid !== null && block.bar !== undefined) writeKey(page, block.bar);
  if (laid === null) writeText(page, 'P', pickReportTexts(language).nothing, STYLES.note);
  else {
    laid.parts.forEach((part, i) => {
      if (i > 0) page.space(7);
      writePart(page, laid, part);
    });
    page.space(3);
  }
  for (const note of shown.notes) writeText(page, 'P', note, STYLES.note, { after: 1.5 });
}

/** The colours of the bars, at the right end of the title's line. */
function writeKey(page: PdfPage, parts: readonly BarPart[]): void {
  const style = STYLES.note;
  const square = style.size * 0.8;
  const widths = parts.map(({ label }) => square + 3 + page.measure(label, style) + 9);
  const y = page.y - 3 - page.lineHeight(STYLES.caption) + 2;
  let x = PAGE.width - PAGE.right - widths.reduce((sum, width) => sum + width, -9);
  page.element('P', () => {
    parts.forEach(({ label, colour }, i) => {
      page.pdf.rect(x, y + 1.2, square, square).fill(inPlainColours(colour));
      page.line(label, x + square + 3, y, style);
      x += widths[i] ?? 0;
    });
  });
}

function layOut(
  page: PdfPage,
  { columns, rows }: Pick<TableDocument, 'columns' | 'rows'>,
  bar: TableBlock['bar'],
  language: Language,
): Laid {
  const cells: Cells = {
    headings: columns.map(toHeading),
    rows: rows.map((row) => columns.map((column) => cellText(column, row, language))),
    numeric: columns.map(isNumeric),
    bars: bar === undefined ? null : rows.map((row) => barPieces(bar, row)),
  };
  const keys = keyColumns({ columns });
  const laid = SIZES.map((size): Laid => {
    const styles = { cells, body: { size }, head: { size, font: 'bold' } } as const;
    const widths = columns.map((_, i) => widthOf(page, styles, i, i < keys ? MIN_KEY : MIN_TEXT));
    return { ...styles, parts: splitColumns(widths, keys, Math.floor(CONTENT_WIDTH), GAP) };
  });
  return laid.reduce((best, one) => (one.parts.length < best.parts.length ? one : best));
}

/** Height of a part's headings and first rows. */
function leastHeight(page: PdfPage, laid: Laid, part: ColumnPart): number {
  const rows = laid.cells.rows.slice(0, MIN_ROWS).map((row) => linesOf(page, part, row, laid.body));
  return [linesOf(page, part, laid.cells.headings, laid.head), ...rows].reduce(
    (sum, lines) => sum + heightOf(page, lines, laid.body),
    0,
  );
}

type Lines = readonly (readonly string[])[];

function linesOf(page: PdfPage, part: ColumnPart, texts: readonly string[], style: TextStyle): Lines {
  return part.columns.map((column, i) =>
    wrapText(texts[column] ?? '', part.widths[i] ?? 1, (text) => page.measure(text, style)),
  );
}

function heightOf(page: PdfPage, lines: Lines, body: TextStyle): number {
  return Math.max(...lines.map((cell) => cell.length)) * page.lineHeight(body) + 2 * PAD;
}

function widthOf(
  page: PdfPage,
  { cells, body, head }: Pick<Laid, 'cells' | 'body' | 'head'>,
  column: number,
  leastText: number,
) {
  const { headings, rows, numeric, bars } = cells;
  const bar = bars !== null && column === headings.length - 1 ? MIN_BAR + BAR_GAP : 0;
  const heading = headings[column] ?? '';
  const words = Math.max(...heading.split(' ').map((word) => page.measure(word, head)));
  const whole = page.measure(heading, head);
  const content = bar + rows.reduce((most, row) => Math.max(most, page.measure(row[column] ?? '', body)), 0);
  const least =
    numeric[column] || bar > 0
      ? Math.max(words, content, Math.min(MIN_HEADING, whole))
      : Math.max(words, Math.min(content, leastText));
  return {
    least: Math.ceil(Math.min(least, CONTENT_WIDTH)),
    best: bar > 0 ? CONTENT_WIDTH : Math.ceil(Math.max(content, Math.min(whole, bars === null ? 70 : 120))),
  };
}

function writePart(page: PdfPage, laid: Laid, part: ColumnPart): void {
  const { cells, body, head: headStyle } = laid;
  const head = linesOf(page, part, cells.headings, headStyle);
  const structure = page.group('Table');
  const used = part.widths.reduce((sum, width) => sum + width, GAP * (part.widths.length - 1));
  const tall = (lines: Lines) => heightOf(page, lines, body);
  const named = Math.max(...cells.rows.map((row) => page.measure(row.at(-1) ?? '', body)));
  const barWidth = (part.widths.at(-1) ?? 0) - BAR_GAP - named;
  const bodies = cells.rows.map((row) => linesOf(page, part, row, body));
  page.ensure(leastHeight(page, laid, part));
  writeHead(true);
  bodies.forEach((lines, i) => {
    if (page.y + tall(lines) > PAGE.height - PAGE.bottom) {
      page.newPage();
      writeHead(false);
    }
    if (i % 2 === 1) decorate(() => page.pdf.rect(PAGE.left - 2, page.y, used + 4, tall(lines)).fill('#f3f5f7'));
    writeRow(lines, body, 'TD', cells.bars?.[i]);
  });
  structure.end();

  function writeHead(first: boolean): void {
    // Screen readers skip repeated headings.
    if (first) writeRow(head, headStyle, 'TH');
    else decorate(() => drawRow(head, headStyle));
    if (!first) page.y += tall(head);
    decorate(() =>
      page.pdf
        .moveTo(PAGE.left - 2, page.y - 0.5)
        .lineTo(PAGE.left + used + 2, page.y - 0.5)
        .lineWidth(0.8)
        .stroke('#505a66'),
    );
  }

  function writeRow(lines: Lines, style: TextStyle, type: 'TH' | 'TD', bar?: Pieces): void {
    const row = page.group('TR', structure);
    lines.forEach((cell, i) => {
      const isBar = part.columns[i] === cells.headings.length - 1;
      page.element(i === 0 ? 'TH' : type, () => drawCell(cell, i, style, isBar ? bar : undefined), row);
    });
    row.end();
    page.y += tall(lines);
  }

  function drawRow(lines: Lines, style: TextStyle): void {
    lines.forEach((cell, i) => {
      drawCell(cell, i, style);
    });
  }

  function drawCell(lines: readonly string[], index: number, style: TextStyle, bar?: Pieces): void {
    const before = part.widths.slice(0, index).reduce((sum, width) => sum + width + GAP, 0);
    const begin = PAGE.left + before;
    const x = bar === undefined ? begin : begin + barWidth + BAR_GAP;
    if (bar !== undefined) drawBar(bar, begin, page.y + PAD + 1, style.size);
    const numeric = cells.numeric[part.columns[index] ?? 0] ?? false;
    lines.forEach((text, i) => {
      const y = page.y + PAD + i * page.lineHeight(style);
      page.line(text, x, y, style, numeric ? { right: x + (part.widths[index] ?? 0) } : undefined);
    });
  }

  function drawBar(pieces: Pieces, x: number, y: number, height: number): void {
    for (const { from, share, colour } of pieces)
      page.pdf.rect(x + from * barWidth, y, share * barWidth, height).fill(inPlainColours(colour));
  }

  /** Lines and shading, which screen readers skip. */
  function decorate(draw: () => void): void {
    page.pdf.markContent('Artifact', { type: 'Layout' });
    draw();
    page.pdf.endMarkedContent();
  }
}
