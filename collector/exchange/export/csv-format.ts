import { BYTE_ORDER_MARK, csvCell } from '../../analysis/tables/csv.ts';
import type { Encode } from './export-format.ts';
import { type RowStyle, textRows } from './text-rows.ts';

const STYLE: RowStyle = {
  head: (_name, place) => (place === 0 ? '' : ','),
  word: csvCell,
  absent: '',
  // Spreadsheets know it as a moment; with a T they take it for text.
  timeSeparator: ' ',
  timeQuotes: ['', ''],
  lineEnd: '\r\n',
};

/** RFC 4180 with a head line; https://www.rfc-editor.org/rfc/rfc4180 */
export const encodeCsv: Encode = async function* encodeCsv(blocks, table) {
  yield Buffer.from(`${BYTE_ORDER_MARK}${table.map(({ name }) => name).join(',')}\r\n`);
  for await (const columns of blocks) yield* textRows(columns, table, STYLE);
};
