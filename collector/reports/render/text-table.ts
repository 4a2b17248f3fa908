import type { Language } from '../../analysis/text/language.ts';
import type { TableBlock } from '../document/report-document.ts';
import { splitColumns } from './split-columns.ts';
import { cellText, isNumeric, keyColumns, shownTable, toHeading } from './table-cells.ts';
import { displayWidth, wrapText } from './wrap-text.ts';

const GAP = 2;
/** Characters that a name may be wrapped to; fewer for other text. */
const MIN_KEY = 24;
const MIN_TEXT = 10;
/** Up to this many rows, a table that is too wide reads better as lines of `name: value`. */
const MAX_LISTED_ROWS = 3;

interface Cells {
  readonly headings: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly numeric: readonly boolean[];
}

/** A table for a terminal `width` columns wide: in parts if it is too wide, as lines if it is short and wide. */
export function textTable(block: TableBlock, language: Language, width: number): string[] {
  const { columns, rows } = shownTable(block, language);
  const cells: Cells = {
    headings: columns.map(toHeading),
    rows: rows.map((row) => columns.map((column) => cellText(column, row, language))),
    numeric: columns.map(isNumeric),
  };
  const keys = keyColumns({ columns });
  // Together, names may take half a line.
  const leastKey = Math.min(MIN_KEY, Math.floor(width / 2 / keys));
  const widths = columns.map((_, i) => widthOf(cells, i, width, i < keys ? leastKey : MIN_TEXT));
  const parts = splitColumns(widths, keys, width, GAP);
  if (parts.length > 1 && rows.length <= MAX_LISTED_ROWS) return listed(cells, width);
  return parts.flatMap((part, i) => [
    ...(i === 0 ? [] : ['']),
    ...lineOf(
      part.columns.map((column) => cells.headings[column] ?? ''),
      part.widths,
      part.columns.map((column) => cells.numeric[column] ?? false),
    ),
    part.widths.map((size) => '-'.repeat(size)).join(' '.repeat(GAP)),
    ...cells.rows.flatMap((row) =>
      lineOf(
        part.columns.map((column) => row[column] ?? ''),
        part.widths,
        part.columns.map((column) => cells.numeric[column] ?? false),
      ),
    ),
  ]);
}

function widthOf({ headings, rows, numeric }: Cells, column: number, width: number, leastText: number) {
  const heading = headings[column] ?? '';
  const longestWord = Math.max(0, ...heading.split(' ').map(displayWidth));
  const content = rows.reduce((most, row) => Math.max(most, displayWidth(row[column] ?? '')), 0);
  const best = Math.max(longestWord, content);
  const least = numeric[column] ? best : Math.max(Math.min(longestWord, width), Math.min(content, leastText));
  return { least: Math.min(least, width), best: Math.min(Math.max(best, Math.min(displayWidth(heading), 14)), width) };
}

/** One row, on several lines if a cell is wrapped. */
function lineOf(cells: readonly string[], widths: readonly number[], numeric: readonly boolean[]): string[] {
  const wrapped = cells.map((cell, i) => wrapText(cell, widths[i] ?? 1));
  const height = Math.max(...wrapped.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) =>
    wrapped
      .map((lines, i) => pad(lines[line] ?? '', widths[i] ?? 0, numeric[i] ?? false))
      .join(' '.repeat(GAP))
      .trimEnd(),
  );
}

export function pad(text: string, width: number, right: boolean): string {
  const space = ' '.repeat(Math.max(0, width - displayWidth(text)));
  return right ? space + text : text + space;
}

function listed({ headings, rows }: Cells, width: number): string[] {
  const label = Math.min(30, Math.max(...headings.map(displayWidth)) + 1);
  return rows.flatMap((row, index) => [
    ...(index === 0 ? [] : ['']),
    ...row.flatMap((cell, i) => labelled(headings[i] ?? '', cell, label, width)),
  ]);
}

/** `Name:      value`, the value aligned and wrapped under itself. */
export function labelled(name: string, value: string, label: number, width: number): string[] {
  const names = wrapText(`${name}:`, label);
  const values = wrapText(value, width - label - 2);
  return Array.from({ length: Math.max(names.length, values.length) }, (_, i) =>
    `${pad(names[i] ?? '', label, false)}  ${values[i] ?? ''}`.trimEnd(),
  );
}
