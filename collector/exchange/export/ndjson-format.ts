import type { Encode } from './export-format.ts';
import { type RowStyle, textRows } from './text-rows.ts';

const STYLE: RowStyle = {
  head: (name, place) => `${place === 0 ? '{' : ','}${JSON.stringify(name)}:`,
  word: (text, kind) => (kind === 'json' ? text : JSON.stringify(text)),
  absent: 'null',
  timeSeparator: 'T',
  timeQuotes: ['"', 'Z"'],
  lineEnd: '}\n',
};

/** One JSON object a line, every column in each: unknown is null. https://github.com/ndjson/ndjson-spec */
export const encodeNdjson: Encode = async function* encodeNdjson(blocks, table) {
  for await (const columns of blocks) yield* textRows(columns, table, STYLE);
};
