import { spreadsheetText } from '../../../shared/views/spreadsheet-text.ts';

/** How the readers of a language's spreadsheets expect a file: what separates fields, and what decimals. */
export interface CsvStyle {
  readonly separator: ',' | ';';
  readonly decimal: '.' | ',';
}

const CONTROL = /[\p{Cc}]+/gu;
/** Numbers carry whole µs at most. */
const DECIMALS = 6;

/** One field of RFC 4180. A text that would be a formula gets an apostrophe in front; numbers stay numbers. */
export function csvField(value: string | number | null, { separator, decimal }: CsvStyle): string {
  if (value === null) return '';
  if (typeof value === 'number') {
    const text = String(Number(value.toFixed(DECIMALS)));
    return decimal === '.' ? text : text.replace('.', ',');
  }
  const safe = spreadsheetText(value).replace(CONTROL, ' ');
  return safe.includes(separator) || safe.includes('"') ? `"${safe.replaceAll('"', '""')}"` : safe;
}
