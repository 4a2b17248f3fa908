import type { TableColumn, TableDocument, TableRow } from '../../analysis/tables/table-document.ts';
import type { Language } from '../../analysis/text/language.ts';
import { DASH, numberWords } from '../../analysis/text/numbers.ts';
import type { BarPart, TableBlock } from '../document/report-document.ts';
import { pickReportTexts } from '../language/report-texts.ts';

/** More would leave too little space for the numbers. */
const MAX_KEYS = 4;

/** One value for readers, without its unit, which is in the heading; a share has its percent sign. */
export function cellText({ name, unit }: TableColumn, row: TableRow, language: Language): string {
  const value = row[name] ?? null;
  if (value === null) return DASH;
  if (typeof value === 'string') return value;
  const { count, fixed, ms, share, rate } = numberWords(language);
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
      return rate(value, (large) => fixed(large, large === 0 ? 0 : Math.abs(large) < 10 ? 3 : 1));
    case 'kb_per_second':
      return rate(value, (large) => fixed(large, large === 0 ? 0 : 1));
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
export function toHeading({ label, unit }: TableColumn): string {
  const text = UNIT_TEXT[unit];
  return text === undefined ? label : `${label} (${text})`;
}

export function isNumeric({ unit }: TableColumn): boolean {
  return unit !== 'text';
}

/** How many leading columns name the row: they are repeated in each part of a table that is split. */
export function keyColumns({ columns }: Pick<TableDocument, 'columns'>): number {
  const first = columns.findIndex(isNumeric);
  return Math.min(MAX_KEYS, Math.max(1, first < 0 ? 1 : first));
}

/** The rows of a long table that are printed, and its notes, with the number of rows left out; a bar is drawn in its last column. */
export function shownTable({ table, shown, bar }: TableBlock, language: Language): Omit<TableDocument, 'title'> {
  const rows = shown === undefined ? table.rows : table.rows.slice(0, shown);
  const left = table.rows.length - rows.length;
  const isPart = (name: string) => bar?.some((part) => part.name === name) === true;
  return {
    columns: table.columns.filter(({ name }) => !isPart(name)),
    rows,
    notes: left === 0 ? table.notes : [...table.notes, pickReportTexts(language).moreRows(left)],
  };
}

/** The parts of a row's bar that are known, with where each begins, 0 … 1. */
export function barPieces(bar: readonly BarPart[], row: TableRow) {
  let end = 0;
  return bar.flatMap((part) => {
    const share = row[part.name];
    if (typeof share !== 'number') return [];
    end += share;
    return [{ ...part, share, from: end - share }];
  });
}
