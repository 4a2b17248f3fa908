import { PHASES } from '../../../shared/vocabulary/time-names.ts';
import type { Grouping } from '../model/groupings.ts';
import type { OverviewRow } from '../model/overview-row.ts';
import type { Pair } from '../model/pair.ts';
import type { ColumnId } from '../state/column-ids.ts';
import { t } from '../text/t.ts';

/** A heading of the hosts × types table, with one column or with two for median and average. */
export interface ColumnGroup {
  readonly id: 'total' | 'phase' | 'setup' | 'single';
  readonly label: string;
  /** What the numbers count, where that is ambiguous: an overhead always names its basis. */
  readonly basis: string | null;
  readonly tip: string;
  readonly columns: readonly { readonly id: ColumnId; readonly label: string }[];
}

const { columns: texts, basis } = t.overview;
/** The parts of a verdict, in the order of a request. */
export const VERDICT_PARTS = ['network', 'tls', 'server', 'download', 'client'] as const;

const PER_CONNECTION: readonly string[] = ['dns', 'tcp', 'tls'];

/** In the order of the table; `TableRow` must use the same. */
export const COLUMN_GROUPS: readonly ColumnGroup[] = [
  single('host'),
  single('type'),
  single('verdict'),
  single('waited'),
  pair('total', 'ttlb', texts.ttlb, basis.ms),
  single('gap'),
  single('change'),
  single('samples'),
  single('reused'),
  pair('setup', 'setupConnection', { label: texts.setup, tip: texts.setupConnection.tip }, basis.perConnection),
  pair('setup', 'setupRequest', { label: texts.setup, tip: texts.setupRequest.tip }, basis.perRequest),
  ...PHASES.map((phase) =>
    pair(
      'phase',
      phase,
      { label: t.phases[phase], tip: t.phaseMeanings[phase] },
      PER_CONNECTION.includes(phase) ? basis.perConnection : basis.perRequest,
    ),
  ),
  single('browsers'),
];

/** What the rows are: the types of one host, or hosts and types in groups. */
export type TableShape = 'types' | Grouping;

/** Whether the type has a column of its own, instead of naming the group or the row. */
export function hasTypeColumn(shape: TableShape): boolean {
  return shape !== 'types' && shape !== 'host' && shape !== 'type';
}

export function columnGroups(shape: TableShape, folded: FoldedColumns): readonly ColumnGroup[] {
  const [, type, ...others] = COLUMN_GROUPS.filter(({ columns: [first] }) => !folded.has(nameOf(first?.id ?? '')));
  if (type === undefined) return [];
  if (shape === 'types') return [type, ...others];
  const first = {
    ...single('host'),
    label: texts.first(t.dimensions[shape], shape === 'host' ? texts.type.label : texts.host.label),
  };
  return hasTypeColumn(shape) ? [first, type, ...others] : [first, ...others];
}

/** Names of columns, those of a time without `.median`, that are not shown because they say nothing in any row. */
export type FoldedColumns = ReadonlySet<string>;

/** The columns that are 0 or unknown in every row. */
export function foldColumns(rows: readonly OverviewRow[]): readonly string[] {
  const nothing = (pair: Pair) => !pair.known || (pair.median === 0 && pair.mean === 0);
  const tests: Readonly<Record<string, (row: OverviewRow) => boolean>> = {
    change: ({ trend }) => trend.kind === 'off' || trend.kind === 'unknown',
    setupConnection: (row) => nothing(row.setupConnection),
    setupRequest: (row) => nothing(row.setupRequest),
    ...Object.fromEntries(PHASES.map((phase) => [phase, (row: OverviewRow) => nothing(row.phases[phase])])),
    browsers: ({ browsers }) => browsers === null,
  };
  return rows.length === 0 ? [] : Object.keys(tests).filter((name) => rows.every((row) => tests[name]?.(row)));
}

/** What a column's heading says, with what it counts. */
export function labelColumns(names: readonly string[]): readonly string[] {
  return COLUMN_GROUPS.flatMap(({ columns: [first], label, basis }) =>
    names.includes(nameOf(first?.id ?? '')) ? [basis === null ? label : `${label} ${basis}`] : [],
  );
}

function nameOf(id: string): string {
  return id.split('.')[0] ?? '';
}

/** Text columns sort ascending first, numbers descending. */
export function isTextColumn(id: ColumnId): boolean {
  return id === 'host' || id === 'type' || id === 'verdict';
}

function single(id: Exclude<ColumnId, `${string}.${string}`>): ColumnGroup {
  const { label, tip } = texts[id];
  return { id: 'single', label, basis: null, tip, columns: [{ id, label }] };
}

function pair(
  id: 'total' | 'phase' | 'setup',
  time: 'ttlb' | (typeof PHASES)[number] | 'setupConnection' | 'setupRequest',
  { label, tip }: { readonly label: string; readonly tip: string },
  basisOf: string,
): ColumnGroup {
  const columns = [
    { id: `${time}.median`, label: texts.median },
    { id: `${time}.mean`, label: texts.average },
  ] as const;
  return { id, label, basis: basisOf, tip, columns };
}
