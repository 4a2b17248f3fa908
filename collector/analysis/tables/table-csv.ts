import { BYTE_ORDER_MARK, csvCell } from './csv-cell.ts';
import { spreadsheetText } from './spreadsheet-text.ts';
import type { TableDocument, TableRow, Unit } from './table-document.ts';

const UNIT_WORDS: Readonly<Partial<Record<Unit, string>>> = {
  ms: 'ms',
  s: 's',
  share: '0 to 1',
  per_second: 'per second',
  bytes: 'bytes',
  kb_per_second: 'KB/s',
};

/** A table as a file that spreadsheets open right: UTF-8 with its mark, RFC 4180, no cell that computes. */
export function tableCsv(table: TableDocument): string {
  return `${BYTE_ORDER_MARK}${tableLines(table, csvCell, ',').join('\r\n')}\r\n`;
}

/** The same for the clipboard, from where spreadsheets take tabs as columns. */
export function tableTsv(table: TableDocument): string {
  return tableLines(table, (text) => spreadsheetText(text.replace(/[\t\r\n]+/g, ' ')), '\t').join('\n');
}

function tableLines({ columns, rows }: TableDocument, write: (text: string) => string, separator: string): string[] {
  const head = columns.map(({ label, unit }) => {
    const words = UNIT_WORDS[unit];
    return write(words === undefined ? label : `${label} (${words})`);
  });
  const line = (row: TableRow) => columns.map(({ name }) => cellText(row[name] ?? null, write)).join(separator);
  return [head.join(separator), ...rows.map(line)];
}

/** Numbers stay numbers, negative ones too; unknown is empty. */
function cellText(value: string | number | null, write: (text: string) => string): string {
  if (value === null) return '';
  return typeof value === 'number' ? String(value) : write(value);
}
