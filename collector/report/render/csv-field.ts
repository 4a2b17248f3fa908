/** How the readers of a language's spreadsheets expect a file: what separates fields, and what decimals. */
export interface CsvStyle {
  readonly separator: ',' | ';';
  readonly decimal: '.' | ',';
}

/** A spreadsheet takes these at the beginning of a cell for a formula: https://owasp.org/www-community/attacks/CSV_Injection */
const FORMULA = /^[\s\p{Cc}]*[=+\-@\uff1d\uff0b\uff0d\uff20]/u;
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
  const safe = (FORMULA.test(value) ? `'${value}` : value).replace(CONTROL, ' ');
  return safe.includes(separator) || safe.includes('"') ? `"${safe.replaceAll('"', '""')}"` : safe;
}
