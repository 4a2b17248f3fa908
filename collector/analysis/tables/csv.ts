import type { TableDocument, Unit } from './table-document.ts';

/** At the start of a file: without it Excel reads UTF-8 as the system's code page. */
export const BYTE_ORDER_MARK = '\uFEFF';

/** First characters of a formula, including the full-width forms that Excel accepts. */
const SIGN = '[=+\\-@\uFF0B\uFF0D\uFF1D\uFF20]';
/** What may precede it: spreadsheets skip blanks and remove quotes. */
const BLANK = '[\\s\\p{Cc}\\p{Cf}"]';

/** At the beginning of a cell. */
const FORMULA = new RegExp(`^(?:${BLANK}*${SIGN}|[\\t\\r\\n])`, 'u');

/**
 * At the beginning of a cell if the reader splits at other separators: Excel uses the system's, LibreOffice uses tab,
 * comma and semicolon together, and both ignore quotes that don't begin a cell.
 */
const FORMULA_BEHIND_SEPARATOR = new RegExp(`([,;\\t\\r\\n])(?=(?:(?![\\t\\r\\n])${BLANK})*${SIGN})`, 'gu');

/** No spreadsheet runs it: formulas get a leading apostrophe. https://owasp.org/www-community/attacks/CSV_Injection */
export function spreadsheetText(text: string): string {
  const inside = text.replace(FORMULA_BEHIND_SEPARATOR, "$1'");
  return FORMULA.test(text) ? `'${inside}` : inside;
}

/** Text as an RFC 4180 cell, whatever the separator, and never a formula. https://www.rfc-editor.org/rfc/rfc4180 */
export function csvCell(text: string): string {
  const safe = spreadsheetText(text);
  return /[",\r\n;\t]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** How spreadsheets of a language expect a file. */
export interface CsvStyle {
  readonly separator: string;
  readonly decimal: string;
}

const ENGLISH_STYLE: CsvStyle = { separator: ',', decimal: '.' };

/** One line. Numbers stay numbers, negative ones too; unknown is empty. */
export function csvLine(
  fields: readonly (string | number | null)[],
  { separator, decimal }: CsvStyle = ENGLISH_STYLE,
  write = csvCell,
): string {
  const field = (value: string | number | null) =>
    value === null ? '' : typeof value === 'number' ? String(value).replace('.', decimal) : write(value);
  return fields.map(field).join(separator);
}

/** A file that spreadsheets open correctly: UTF-8 with a byte order mark, RFC 4180. */
export function csvFile(lines: readonly string[]): string {
  return `${BYTE_ORDER_MARK}${lines.join('\r\n')}\r\n`;
}

const UNIT_WORDS: Readonly<Partial<Record<Unit, string>>> = {
  ms: 'ms',
  s: 's',
  share: '0 to 1',
  per_second: 'per second',
  bytes: 'bytes',
  kb_per_second: 'KB/s',
};

/** A table of the dashboard as a file. */
export function tableCsv(table: TableDocument): string {
  return csvFile(tableFields(table).map((fields) => csvLine(fields)));
}

/** The same for the clipboard, from which spreadsheets read tabs as columns. */
export function tableTsv(table: TableDocument): string {
  const write = (text: string) => spreadsheetText(text.replace(/[\t\r\n]+/g, ' '));
  return tableFields(table)
    .map((fields) => csvLine(fields, { separator: '\t', decimal: '.' }, write))
    .join('\n');
}

function tableFields({ columns, rows }: TableDocument): (string | number | null)[][] {
  const head = columns.map(({ label, unit }) => {
    const words = UNIT_WORDS[unit];
    return words === undefined ? label : `${label} (${words})`;
  });
  return [head, ...rows.map((row) => columns.map(({ name }) => row[name] ?? null))];
}
