import type { TableDocument, TableRow } from '../../analysis/tables/table-document.ts';
import { keepMeasuringText } from '../../analysis/text/finding-text.ts';
import { nameScenarios } from '../../analysis/text/name-scenarios.ts';
import { wordFor } from '../../analysis/text/word-for.ts';
import { valueLabel } from '../model/value-label.ts';
import { t } from '../text/t.ts';

/** Columns whose cells are codes. */
const WORDS: Readonly<Record<string, (code: string) => string>> = {
  scenario: named,
  run: named,
  name: named,
  source: (source) => wordFor(t.values.groupSources, source),
  connection: (connection) => valueLabel('connection', connection, null),
  type: (type) => valueLabel('type', type, null),
  ...Object.fromEntries(
    ['time', 'over', 'lengthStable', 'code', 'reason', 'version', 'cipher'].map((name) => [
      name,
      (value: string) => wordFor(t.values.cells, value),
    ]),
  ),
  keepMeasuring: (reasons) => keepMeasuringText(reasons, t),
};

/** A table of a report as people read it: scenarios, sources and types by name. For the screen, copying and CSV. */
export function reportTableWords(table: TableDocument): TableDocument {
  return {
    title: named(table.title),
    columns: table.columns.map((column) => ({ ...column, label: named(column.label) })),
    rows: table.rows.map(rowInWords),
    notes: table.notes.map(named),
  };
}

/** `HTTPS, everything new, probes`; users’ traffic by the scenario alone. */
export function scenarioName(scenario: string, source: string): string {
  return source === 'page' ? named(scenario) : `${named(scenario)}, ${wordFor(t.values.groupSources, source)}`;
}

function named(text: string): string {
  return nameScenarios(text, t);
}

function rowInWords(row: TableRow): TableRow {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      const words = typeof value === 'string' ? WORDS[name] : undefined;
      return [name, words === undefined ? value : words(String(value))];
    }),
  );
}
