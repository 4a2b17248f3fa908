import { spreadsheetText } from './spreadsheet-text.ts';

/** In front of a file: without it Excel takes UTF-8 for the system's code page. */
export const BYTE_ORDER_MARK = '\uFEFF';

/**
 * A text as a cell of RFC 4180, whatever separates cells, and never a formula. Every CSV writer uses it; numbers are written
 * bare. https://www.rfc-editor.org/rfc/rfc4180
 */
export function csvCell(text: string): string {
  const safe = spreadsheetText(text);
  return /[",\r\n;\t]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
