import type { TableColumn, TableRow } from '../../analysis/tables/table-document.ts';
import type { Language } from '../../analysis/text/language.ts';
import { rateDecimals } from '../../analysis/text/rate-decimals.ts';
import { DASH, numbersOf } from '../language/number-words.ts';

/** One value as a person reads it, without its unit, which stands in the heading; a share carries its percent sign. */
export function cellText({ name, unit }: TableColumn, row: TableRow, language: Language): string {
  const value = row[name] ?? null;
  if (value === null) return DASH;
  if (typeof value === 'string') return value;
  const { count, fixed, ms, share } = numbersOf(language);
  // A rate that is none is not just too small for its decimals.
  if (value === 0 && (unit === 'per_second' || unit === 'kb_per_second')) return count(0);
  switch (unit) {
    case 'ms':
      return ms(value);
    case 'share':
      return share(value);
    case 'count':
    case 'bytes':
      return count(value);
    case 'ratio':
      return fixed(value, 3);
    case 'per_second':
      if (value > 0 && value < 0.000_001) return `<${fixed(0.000_001, 6)}`;
      return fixed(value, rateDecimals(value) ?? (Math.abs(value) < 10 ? 3 : 1));
    case 'kb_per_second':
      return fixed(value, rateDecimals(value) ?? 1);
    case 's':
      return fixed(value, 1);
    default:
      return Number.isInteger(value) ? count(value) : fixed(value, 2);
  }
}

const UNIT_TEXT: Readonly<Partial<Record<TableColumn['unit'], string>>> = {
  ms: 'ms',
  s: 's',
  bytes: 'B',
  kb_per_second: 'KB/s',
  per_second: '1/s',
  ratio: '×',
};

/** The heading with its unit, such as `Median (ms)`. */
export function headingOf({ label, unit }: TableColumn): string {
  const text = UNIT_TEXT[unit];
  return text === undefined ? label : `${label} (${text})`;
}

export function isNumeric({ unit }: TableColumn): boolean {
  return unit !== 'text';
}
