import { hostLabel } from '../../../shared/redact/host-label.ts';
import type { NamesOfApps } from '../../../shared/settings/app-names.ts';
import { type AnyDimension, FEW_BROWSERS } from '../../../shared/vocabulary/dimensions.ts';
import type { SummaryCell } from '../../analysis/summary/summary-document.ts';
import type { TableDocument } from '../../analysis/tables/table-document.ts';
import { wordFor } from '../../analysis/text/word-for.ts';
import { t } from '../text/t.ts';

/** The names of apps by target id; null while they are being read. */
export type AppNames = NamesOfApps | null;

/** A dimension's value as people call it: an app by its name. Null, or `''`, is the group without a value. */
export function valueLabel(dimension: string, value: string | null | undefined, names: AppNames): string {
  if (value === FEW_BROWSERS) return t.app.fewBrowsers;
  if (value === null || value === undefined || value === '') return t.none;
  switch (dimension) {
    case 'target':
      // An id would flash up before the name.
      return names === null ? '…' : (names.get(value) ?? value);
    case 'connection':
      return wordFor(t.connections, value);
    case 'host':
      return hostLabel(value);
    case 'browser':
    case 'browserVersion':
      return browserName(value);
    case 'type':
      return wordFor(t.types, value);
    case 'scenario':
      return wordFor(t.scenarios, value);
    case 'source':
      return wordFor(t.values.sources, value);
    default:
      return value;
  }
}

/** The same of a group's cell: the one that few browsers are shown with is named. */
export function groupLabel(dimension: AnyDimension, cell: SummaryCell, names: AppNames): string {
  return cell.foldedWith === undefined
    ? valueLabel(dimension, cell[dimension], names)
    : t.withFewBrowsers(valueLabel(dimension, cell.foldedWith, names));
}

/** `chromium 128` as the browser calls itself. */
export function browserName(code: string): string {
  return code.slice(0, 1).toUpperCase() + code.slice(1);
}

/** The same table with the names of apps in its column of targets, for the screen, for copying and for CSV. */
export function withAppNames(table: TableDocument, names: AppNames): TableDocument {
  if (!table.columns.some(({ name }) => name === 'target')) return table;
  const named = (id: string) => valueLabel('target', id, names);
  return {
    ...table,
    columns: table.columns.map((one) => (one.name === 'target' ? { ...one, label: t.dimensions.target } : one)),
    rows: table.rows.map((row) => (typeof row.target === 'string' ? { ...row, target: named(row.target) } : row)),
  };
}
