import type { Texts } from '../text/english.ts';
import { column, type TableColumn } from './table-document.ts';

type Rows = readonly { readonly browsersMonth?: string | undefined }[];

/** The heading of the column `browsers`; over several months it says that it counts those of one. */
export function browsersLabel(label: string, rows: Rows, { browsersOfMonth }: Pick<Texts, 'browsersOfMonth'>): string {
  return isMonthly(rows) ? browsersOfMonth.column : label;
}

export function browsersColumn(label: string, rows: Rows, texts: Pick<Texts, 'browsersOfMonth'>): TableColumn {
  return column('browsers', browsersLabel(label, rows, texts), 'count');
}

/** Why such a column counts one month; none if it does not. */
export function browsersNotes(rows: Rows, { browsersOfMonth }: Pick<Texts, 'browsersOfMonth'>): string[] {
  return isMonthly(rows) ? [browsersOfMonth.note] : [];
}

function isMonthly(rows: Rows): boolean {
  return rows.some(({ browsersMonth }) => browsersMonth !== undefined);
}
