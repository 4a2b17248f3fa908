import { csvCell } from '../../analysis/tables/csv-cell.ts';

/** How the readers of a language's spreadsheets expect a file: what separates fields, and what decimals. */
export interface CsvStyle {
  readonly separator: ',' | ';';
  readonly decimal: '.' | ',';
}

const CONTROL = /[\p{Cc}]+/gu;
/** Numbers carry whole µs at most. */
const DECIMALS = 6;

/** One field: a text on one line and never a formula, a number as it is, in the decimals of the language. */
export function csvField(value: string | number | null, { decimal }: CsvStyle): string {
  if (value === null) return '';
  if (typeof value === 'number') {
    const text = String(Number(value.toFixed(DECIMALS)));
    return decimal === '.' ? text : text.replace('.', ',');
  }
  return csvCell(value.replace(CONTROL, ' '));
}
