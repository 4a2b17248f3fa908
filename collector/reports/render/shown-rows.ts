import type { TableRow } from '../../analysis/tables/table-document.ts';
import type { Language } from '../../analysis/text/language.ts';
import { wordsOf } from '../language/words.ts';
import type { TableBlock } from '../report-document.ts';

/** What a person sees of a long table, and the sentence that says how much is left out. */
export function shownRows(
  { table, shown }: TableBlock,
  language: Language,
): { rows: readonly TableRow[]; notes: readonly string[] } {
  const rows = shown === undefined ? table.rows : table.rows.slice(0, shown);
  const left = table.rows.length - rows.length;
  return { rows, notes: left === 0 ? table.notes : [...table.notes, wordsOf(language).moreRows(left)] };
}
