import { column, type TableColumn, type TableDocument, type TableRow } from '../analysis/tables/table-document.ts';
import { keepMeasuringText } from '../analysis/text/keep-measuring-text.ts';
import type { Language } from '../analysis/text/language.ts';
import { translate, translateCell } from './language/translate.ts';

/** Columns whose text is a word of ours; all other text is a name from somebody's page. */
const OUR_WORDS = new Set(['time', 'over', 'lengthStable', 'source', 'code', 'reason']);
const EPOCH = ', epoch milliseconds';

/** A view's table in the reader's language, with moments as times and codes as words. */
export function readableTable(table: TableDocument, language: Language): TableDocument {
  const moments = table.columns.filter(({ label }) => label.endsWith(EPOCH)).map(({ name }) => name);
  return {
    title: translate(table.title, language),
    columns: table.columns.map((one) => readableColumn(one, language)),
    rows: table.rows.map((row) => readableRow(row, moments, language)),
    notes: table.notes.map((note) => translate(note, language)),
  };
}

function readableColumn({ name, label, unit }: TableColumn, language: Language): TableColumn {
  const moment = label.endsWith(EPOCH);
  const text = moment ? label.slice(0, -EPOCH.length) : label;
  // A group's own name is no heading of ours.
  if (name.startsWith('metric:')) return { name, label, unit };
  if (name.startsWith('group:')) return { name, label: groupName(label, language), unit };
  return column(name, translate(text, language), moment ? 'text' : unit);
}

/** A scenario keeps its name; that it was probes is a word of ours. */
function groupName(text: string, language: Language): string {
  const scenario = text.replace(/, probes$/, '');
  return language === 'en' || scenario === text ? text : `${scenario}, ${translate('Probes', language)}`;
}

function readableRow(row: TableRow, moments: readonly string[], language: Language): TableRow {
  const changed: Record<string, string | number | null> = { ...row };
  for (const name of moments) {
    const at = row[name];
    if (typeof at === 'number') changed[name] = `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')}Z`;
  }
  if (typeof row.keepMeasuring === 'string') {
    changed.keepMeasuring = keepMeasuringText(row.keepMeasuring, (words) => translateCell(words, language));
  }
  if (typeof row.name === 'string') changed.name = groupName(row.name, language);
  for (const [name, value] of Object.entries(changed)) {
    if (typeof value === 'string' && OUR_WORDS.has(name)) changed[name] = translateCell(value, language);
  }
  return changed;
}
