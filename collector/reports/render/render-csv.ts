import { BYTE_ORDER_MARK } from '../../analysis/tables/csv-cell.ts';
import type { TableDocument } from '../../analysis/tables/table-document.ts';
import type { Language } from '../../analysis/text/language.ts';
import type { Report } from '../report-document.ts';
import { headingOf } from './cell-text.ts';
import { type CsvStyle, csvField } from './csv-field.ts';

/** German Excel wants the decimal comma, and so the semicolon between fields. */
const STYLE: Readonly<Record<Language, CsvStyle>> = {
  en: { separator: ',', decimal: '.' },
  de: { separator: ';', decimal: ',' },
};

/**
 * All tables, one below the other, each after its title; every line has as many fields as the widest table, so that
 * strict readers take the file too. A value is not rounded; unknown is empty.
 */
export function renderCsv(report: Report): string {
  const style = STYLE[report.language];
  const tables = report.sections.flatMap(({ blocks }) =>
    blocks.flatMap((block) => (block.kind === 'table' ? [block.table] : [])),
  );
  const width = Math.max(1, ...tables.map(({ columns }) => columns.length));
  const line = (fields: readonly (string | number | null)[]) =>
    Array.from({ length: width }, (_, i) => csvField(fields[i] ?? null, style)).join(style.separator);
  const head = [line([report.title]), line([report.subtitle])];
  const lines = tables.flatMap((table) => ['', ...tableLines(table)].map((entry) => (entry === '' ? line([]) : entry)));
  return `${BYTE_ORDER_MARK}${[...head, ...lines].join('\r\n')}\r\n`;

  function tableLines({ title, columns, rows }: TableDocument): string[] {
    return [
      line([title]),
      line(columns.map(headingOf)),
      ...rows.map((row) => line(columns.map(({ name }) => row[name] ?? null))),
    ];
  }
}
