/** In front of a file: without it Excel takes UTF-8 for the system's code page. */
export const BYTE_ORDER_MARK = '\uFEFF';

/** At the beginning of a cell, spaces and control characters before it or not; full-width forms too. */
const FORMULA = /^(?:[\s\p{Cc}]*[=+\-@\uFF0B\uFF0D\uFF1D\uFF20]|[\t\r\n])/u;

/**
 * A text that no spreadsheet computes: an apostrophe in front of what would be a formula. The one rule for every table that
 * leaves us. https://owasp.org/www-community/attacks/CSV_Injection
 */
export function spreadsheetText(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}
