import { PHASES } from '../../../shared/vocabulary/time-names.ts';
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

const PER_CONNECTION: readonly string[] = ['dns', 'tcp', 'tls'];

/** In the order of the table; `TableRow` must use the same. */
export const COLUMN_GROUPS: readonly ColumnGroup[] = [
  single('host', 'Host', 'The host that served the requests'),
  single('type', 'Type', 'Resource type'),
  single('verdict', 'Verdict', 'The dominant part of the average wait'),
  single('waited', 'Wait share', 'Requests × average, as a share of all time that users waited'),
  pair('total', 'ttlb', 'To last byte', 'milliseconds', 'From the start of the fetch to the last byte'),
  single('gap', 'Gap', 'Average minus median to the last byte, ms'),
  single('change', 'Change', 'Change of the median to the last byte, ms; with an arrow if it is significant'),
  single('samples', 'Samples', 'All samples; the bar shows the usable part'),
  single('reused', 'Reused', 'Requests on a connection that was already open; the bar shows all connection classes'),
  pair(
    'setup',
    'setupConnection',
    'Set-up',
    'per connection',
    'DNS + TCP + TLS over new connections only: the cost of opening a connection',
  ),
  pair(
    'setup',
    'setupRequest',
    'Set-up',
    'per request',
    'DNS + TCP + TLS over all requests; a reused connection counts 0: the overall cost',
  ),
  ...PHASES.map((phase) =>
    pair(
      'phase',
      phase,
      t.phases[phase],
      PER_CONNECTION.includes(phase) ? 'per connection' : 'per request',
      t.phaseMeanings[phase],
    ),
  ),
  single('browsers', 'Browsers', 'Browsers behind these samples'),
];

/** On a host's page the type names the row. */
export function columnGroups(oneHost: boolean): readonly ColumnGroup[] {
  return oneHost ? COLUMN_GROUPS.slice(1) : COLUMN_GROUPS;
}

/** Text columns sort ascending first, numbers descending. */
export function isTextColumn(id: ColumnId): boolean {
  return id === 'host' || id === 'type' || id === 'verdict';
}

function single(id: ColumnId, label: string, tip: string): ColumnGroup {
  return { id: 'single', label, basis: null, tip, columns: [{ id, label }] };
}

function pair(
  id: 'total' | 'phase' | 'setup',
  time: 'ttlb' | (typeof PHASES)[number] | 'setupConnection' | 'setupRequest',
  label: string,
  basis: string,
  tip: string,
): ColumnGroup {
  const columns = [
    { id: `${time}.median`, label: 'median' },
    { id: `${time}.mean`, label: 'average' },
  ] as const;
  return { id, label, basis, tip, columns };
}
