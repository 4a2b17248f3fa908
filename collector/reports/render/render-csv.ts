import { csvFile, csvLine } from '../../analysis/tables/csv.ts';
import type { TableDocument } from '../../analysis/tables/table-document.ts';
import type { Report } from '../document/report-document.ts';
import { pickReportTexts } from '../language/report-texts.ts';
import { toHeading } from './table-cells.ts';

const CONTROL = /[\p{Cc}]+/gu;
/** Times are whole µs; more decimals would be computation noise. */
const DECIMALS = 6;

type Fields = readonly (string | number | null)[];

/**
 * All tables, one below the other, each after its title; every line has as many fields as the widest table, so that
 * strict readers accept the file. Unknown values are empty.
 */
export function renderCsv({ title, subtitle, language, sections }: Report): string {
  const style = pickReportTexts(language).csv;
  const tables = sections.flatMap(({ blocks }) =>
    blocks.flatMap((block) => (block.kind === 'table' ? [block.table] : [])),
  );
  const width = Math.max(1, ...tables.map(({ columns }) => columns.length));
  const line = (fields: Fields) =>
    csvLine(
      Array.from({ length: width }, (_, i) => plain(fields[i] ?? null)),
      style,
    );
  return csvFile([[title], [subtitle], ...tables.flatMap(fieldsOf)].map(line));
}

function fieldsOf({ title, columns, rows }: TableDocument): Fields[] {
  return [[], [title], columns.map(toHeading), ...rows.map((row) => columns.map(({ name }) => row[name] ?? null))];
}

/** Replaces line breaks and other control characters, and rounds numbers. */
function plain(value: string | number | null): string | number | null {
  if (value === null) return null;
  return typeof value === 'number' ? Number(value.toFixed(DECIMALS)) : value.replace(CONTROL, ' ');
}
