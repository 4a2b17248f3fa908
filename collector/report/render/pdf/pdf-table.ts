import { wordsOf } from '../../language/words.ts';
import type { Language, TableBlock } from '../../report-document.ts';
import { cellText, headingOf, isNumeric } from '../cell-text.ts';
import { keyColumns } from '../key-columns.ts';
import { shownRows } from '../shown-rows.ts';
import { type ColumnPart, splitColumns } from '../split-columns.ts';
import { wrapText } from '../wrap-text.ts';
import { PAGE, type PdfPage, ROOM, type TextStyle } from './pdf-page.ts';
import { STYLES, writeText } from './pdf-text.ts';

const BODY: TextStyle = { size: 7.2 };
const HEAD: TextStyle = { size: 7.2, font: 'bold' };
const GAP = 6;
const PAD = 2.2;
/** A name may be broken to this width, a word of ours to that one, points. */
const MIN_KEY = 92;
const MIN_TEXT = 42;
/** A heading may wrap, but no narrower than this. */
const MIN_HEADING = 30;
/** Of a table, at least so many rows stand under their headings before a page ends. */
const MIN_ROWS = 3;

interface Cells {
  readonly headings: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly numeric: readonly boolean[];
}

/** A table over as many pages as it takes: headings again on each, no row cut, in parts where it is too wide. */
export function writeTable(page: PdfPage, block: TableBlock, language: Language): void {
  const { table } = block;
  const { rows, notes } = shownRows(block, language);
  const height = page.lineHeight(BODY) + 2 * PAD;
  page.space(8);
  writeText(page, 'H3', table.title, STYLES.caption, {
    after: 3,
    keep: rows.length === 0 ? 12 : (MIN_ROWS + 2) * height,
  });
  if (rows.length === 0) writeText(page, 'P', wordsOf(language).nothing, STYLES.note);
  else {
    const cells: Cells = {
      headings: table.columns.map(headingOf),
      rows: rows.map((row) => table.columns.map((column) => cellText(column, row, language))),
      numeric: table.columns.map(isNumeric),
    };
    const keys = keyColumns(table);
    const widths = table.columns.map((_, i) => widthOf(page, cells, i, i < keys ? MIN_KEY : MIN_TEXT));
    splitColumns(widths, keys, Math.floor(ROOM), GAP).forEach((part, i) => {
      if (i > 0) page.space(7);
      writePart(page, cells, part);
    });
    page.space(3);
  }
  for (const note of notes) writeText(page, 'P', note, STYLES.note, { after: 1.5 });
}

function widthOf(page: PdfPage, { headings, rows, numeric }: Cells, column: number, leastText: number) {
  const heading = headings[column] ?? '';
  const words = Math.max(...heading.split(' ').map((word) => page.measure(word, HEAD)));
  const whole = page.measure(heading, HEAD);
  const content = rows.reduce((most, row) => Math.max(most, page.measure(row[column] ?? '', BODY)), 0);
  const least = numeric[column]
    ? Math.max(words, content, Math.min(MIN_HEADING, whole))
    : Math.max(words, Math.min(content, leastText));
  return {
    least: Math.ceil(Math.min(least, ROOM)),
    best: Math.ceil(Math.min(ROOM, Math.max(content, Math.min(whole, 70)))),
  };
}

function writePart(page: PdfPage, cells: Cells, part: ColumnPart): void {
  const line = (texts: readonly string[], style: TextStyle) =>
    part.columns.map((column, i) =>
      wrapText(texts[column] ?? '', part.widths[i] ?? 1, (text) => page.measure(text, style)),
    );
  const head = line(cells.headings, HEAD);
  const structure = page.group('Table');
  const used = part.widths.reduce((sum, width) => sum + width, GAP * (part.widths.length - 1));
  const heightOf = (lines: readonly (readonly string[])[]) =>
    Math.max(...lines.map((cell) => cell.length)) * page.lineHeight(BODY) + 2 * PAD;

  const bodies = cells.rows.map((row) => line(row, BODY));
  const firstRows = bodies.slice(0, MIN_ROWS).reduce((sum, row) => sum + heightOf(row), 0);
  page.ensure(heightOf(head) + firstRows);
  writeHead(true);
  bodies.forEach((lines, i) => {
    if (page.y + heightOf(lines) > PAGE.height - PAGE.bottom) {
      page.newPage();
      writeHead(false);
    }
    if (i % 2 === 1) decorate(() => page.pdf.rect(PAGE.left - 2, page.y, used + 4, heightOf(lines)).fill('#f3f5f7'));
    writeRow(lines, BODY, 'TD');
  });
  structure.end();

  function writeHead(first: boolean): void {
    // Headings that are repeated are no part of the table that is read out.
    if (first) writeRow(head, HEAD, 'TH');
    else decorate(() => drawRow(head, HEAD));
    if (!first) page.y += heightOf(head);
    decorate(() =>
      page.pdf
        .moveTo(PAGE.left - 2, page.y - 0.5)
        .lineTo(PAGE.left + used + 2, page.y - 0.5)
        .lineWidth(0.8)
        .stroke('#505a66'),
    );
  }

  function writeRow(lines: readonly (readonly string[])[], style: TextStyle, type: 'TH' | 'TD'): void {
    const row = page.group('TR', structure);
    lines.forEach((cell, i) => {
      page.element(i === 0 ? 'TH' : type, () => drawCell(cell, i, style), row);
    });
    row.end();
    page.y += heightOf(lines);
  }

  function drawRow(lines: readonly (readonly string[])[], style: TextStyle): void {
    lines.forEach((cell, i) => {
      drawCell(cell, i, style);
    });
  }

  function drawCell(lines: readonly string[], place: number, style: TextStyle): void {
    const before = part.widths.slice(0, place).reduce((sum, width) => sum + width + GAP, 0);
    const x = PAGE.left + before;
    const numeric = cells.numeric[part.columns[place] ?? 0] ?? false;
    lines.forEach((text, i) => {
      const y = page.y + PAD + i * page.lineHeight(style);
      page.line(text, x, y, style, numeric ? { right: x + (part.widths[place] ?? 0) } : undefined);
    });
  }

  /** Lines and shades, which nobody reads out. */
  function decorate(draw: () => void): void {
    page.pdf.markContent('Artifact', { type: 'Layout' });
    draw();
    page.pdf.endMarkedContent();
  }
}
