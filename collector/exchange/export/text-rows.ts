import { NULL, type SampleColumns } from '../../../shared/sample/sample-columns.ts';
import type { ColumnKind, ExportColumn } from './export-columns.ts';
import { NUMBER_BYTES, RowBytes } from './row-bytes.ts';

/** Written before it is handed on, bytes: some milliseconds of the event loop. */
const PIECE_BYTES = 128 * 1024;

/** How a text format writes rows. */
export interface RowStyle {
  /** Before the value of a column. */
  head(name: string, place: number): string;
  word(text: string, kind: ColumnKind): string;
  readonly absent: string;
  readonly timeSeparator: 'T' | ' ';
  /** Around a moment. */
  readonly timeQuotes: readonly [before: string, after: string];
  readonly lineEnd: string;
}

/** The rows of a block as text, in pieces. */
export function* textRows(
  columns: SampleColumns,
  table: readonly ExportColumn[],
  style: RowStyle,
): Generator<Uint8Array> {
  const out = new RowBytes(PIECE_BYTES + 4096);
  const cells = table.map((column, place) => cellOf(column, place, columns, style, out));
  const rowBytes = cells.reduce((sum, { most }) => sum + most, style.lineEnd.length);
  const writers = cells.map(({ write }) => write);
  const end = Buffer.from(style.lineEnd);
  for (let row = 0; row < columns.n; row++) {
    out.reserve(rowBytes);
    for (let place = 0; place < writers.length; place++) (writers[place] as (row: number) => void)(row);
    out.word(end);
    if (out.written >= PIECE_BYTES) yield out.take();
  }
  if (out.written > 0) yield out.take();
}

interface Cell {
  readonly write: (row: number) => void;
  /** Bytes that it takes at most. */
  readonly most: number;
}

function cellOf(column: ExportColumn, place: number, columns: SampleColumns, style: RowStyle, out: RowBytes): Cell {
  const values = column.read(columns);
  const before = style.head(column.name, place);
  const absent = Buffer.from(before + style.absent);
  if (values.words !== undefined) {
    const { codes } = values;
    const words = values.words.map((word) => Buffer.from(before + style.word(word, column.kind)));
    const most = words.reduce((longest, { length }) => Math.max(longest, length), absent.length);
    return { most, write: (row) => out.word(words[codes[row] as number] ?? absent) };
  }
  const { numbers } = values;
  const [quote, unquote] = column.kind === 'time' ? style.timeQuotes : ['', ''];
  const head = Buffer.from(before + quote);
  const tail = Buffer.from(unquote);
  const print = printerOf(column.kind, style, out);
  return {
    most: Math.max(absent.length, head.length + NUMBER_BYTES),
    write(row) {
      const value = numbers[row] as number;
      if (value === NULL) return out.word(absent);
      out.word(head);
      print(value);
      out.word(tail);
    },
  };
}

function printerOf(kind: ColumnKind, { timeSeparator }: RowStyle, out: RowBytes): (value: number) => void {
  if (kind === 'time') return (at) => out.moment(at, timeSeparator);
  return kind === 'ms' ? (value) => out.milliseconds(value) : (value) => out.whole(value);
}
