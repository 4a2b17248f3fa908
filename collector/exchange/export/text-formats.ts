import { NULL, type SampleColumns } from '../../../shared/sample/sample-columns.ts';
import { BYTE_ORDER_MARK, csvCell } from '../../analysis/tables/csv.ts';
import type { ColumnKind, ExportColumn } from './export-columns.ts';
import type { Encode } from './export-format.ts';
import { NUMBER_BYTES, RowBytes } from './row-bytes.ts';

/** Size of a piece, bytes: a few milliseconds of the event loop. */
const PIECE_BYTES = 128 * 1024;

/** How a text format writes rows. */
interface RowStyle {
  /** Before the value of a column. */
  head(name: string, index: number): string;
  string(text: string, kind: ColumnKind): string;
  readonly absent: string;
  readonly timeSeparator: 'T' | ' ';
  /** Around a time. */
  readonly timeQuotes: readonly [before: string, after: string];
  readonly lineEnd: string;
}

const CSV: RowStyle = {
  head: (_name, index) => (index === 0 ? '' : ','),
  string: csvCell,
  absent: '',
  // Spreadsheets recognize it as a time; with a T they read it as text.
  timeSeparator: ' ',
  timeQuotes: ['', ''],
  lineEnd: '\r\n',
};

/** RFC 4180 with a header line; https://www.rfc-editor.org/rfc/rfc4180 */
export const encodeCsv: Encode = async function* encodeCsv(blocks, table) {
  yield Buffer.from(`${BYTE_ORDER_MARK}${table.map(({ name }) => name).join(',')}\r\n`);
  for await (const columns of blocks) yield* textRows(columns, table, CSV);
};

const NDJSON: RowStyle = {
  head: (name, index) => `${index === 0 ? '{' : ','}${JSON.stringify(name)}:`,
  string: (text, kind) => (kind === 'json' ? text : JSON.stringify(text)),
  absent: 'null',
  timeSeparator: 'T',
  timeQuotes: ['"', 'Z"'],
  lineEnd: '}\n',
};

/** One JSON object per line with every column; unknown is null. https://github.com/ndjson/ndjson-spec */
export const encodeNdjson: Encode = async function* encodeNdjson(blocks, table) {
  for await (const columns of blocks) yield* textRows(columns, table, NDJSON);
};

/** The rows of a block as text, in pieces. */
function* textRows(columns: SampleColumns, table: readonly ExportColumn[], style: RowStyle): Generator<Uint8Array> {
  const out = new RowBytes(PIECE_BYTES + 4096);
  const cells = table.map((column, index) => cellOf(column, index, columns, style, out));
  const rowBytes = cells.reduce((sum, { maxBytes }) => sum + maxBytes, style.lineEnd.length);
  const writers = cells.map(({ write }) => write);
  const end = Buffer.from(style.lineEnd);
  for (let row = 0; row < columns.n; row++) {
    out.reserve(rowBytes);
    for (let index = 0; index < writers.length; index++) (writers[index] as (row: number) => void)(row);
    out.string(end);
    if (out.written >= PIECE_BYTES) yield out.take();
  }
  if (out.written > 0) yield out.take();
}

interface Cell {
  readonly write: (row: number) => void;
  readonly maxBytes: number;
}

function cellOf(column: ExportColumn, index: number, columns: SampleColumns, style: RowStyle, out: RowBytes): Cell {
  const values = column.read(columns);
  const before = style.head(column.name, index);
  const absent = Buffer.from(before + style.absent);
  if (values.strings !== undefined) {
    const { codes } = values;
    const strings = values.strings.map((text) => Buffer.from(before + style.string(text, column.kind)));
    const maxBytes = strings.reduce((longest, { length }) => Math.max(longest, length), absent.length);
    return { maxBytes, write: (row) => out.string(strings[codes[row] as number] ?? absent) };
  }
  const { numbers } = values;
  const [quote, unquote] = column.kind === 'time' ? style.timeQuotes : ['', ''];
  const head = Buffer.from(before + quote);
  const tail = Buffer.from(unquote);
  const print = printerOf(column.kind, style, out);
  return {
    maxBytes: Math.max(absent.length, head.length + NUMBER_BYTES),
    write(row) {
      const value = numbers[row] as number;
      if (value === NULL) return out.string(absent);
      out.string(head);
      print(value);
      out.string(tail);
    },
  };
}

function printerOf(kind: ColumnKind, { timeSeparator }: RowStyle, out: RowBytes): (value: number) => void {
  if (kind === 'time') return (at) => out.moment(at, timeSeparator);
  return kind === 'ms' ? (value) => out.milliseconds(value) : (value) => out.whole(value);
}
