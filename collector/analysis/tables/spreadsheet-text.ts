/** Of a formula; full-width forms too, which Excel takes for the same. */
const SIGN = '[=+\\-@\uFF0B\uFF0D\uFF1D\uFF20]';
/** What may be in front of it: blanks are passed over, and quotes taken off. */
const BLANK = '[\\s\\p{Cc}\\p{Cf}"]';

/** At the beginning of a cell. */
const FORMULA = new RegExp(`^(?:${BLANK}*${SIGN}|[\\t\\r\\n])`, 'u');

/**
 * At the beginning of what becomes a cell where the list separator is another than ours: Excel takes the system's, LibreOffice
 * tab, comma and semicolon at once, and neither minds quotes that do not begin a cell of theirs.
 */
const FORMULA_BEHIND_SEPARATOR = new RegExp(`([,;\\t\\r\\n])(?=(?:(?![\\t\\r\\n])${BLANK})*${SIGN})`, 'gu');

/**
 * A text that no spreadsheet computes: an apostrophe in front of what would be a formula. The one rule for every table that
 * leaves us. https://owasp.org/www-community/attacks/CSV_Injection
 */
export function spreadsheetText(text: string): string {
  const inside = text.replace(FORMULA_BEHIND_SEPARATOR, "$1'");
  return FORMULA.test(text) ? `'${inside}` : inside;
}
