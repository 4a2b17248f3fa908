import { PHASES } from '../../../shared/vocabulary/time-names.ts';
import { PHASE_LABELS, PHASE_MEANINGS } from '../../analysis/text/words.ts';
import type { ColumnId } from '../state/column-ids.ts';

/** One heading of the hosts × types table; two columns under it where it holds median and average. */
export interface ColumnGroup {
  readonly id: 'total' | 'phase' | 'setup' | 'single';
  readonly label: string;
  /** What the numbers count, where that has to be said: never an overhead without its name. */
  readonly basis: string | null;
  readonly tip: string;
  readonly columns: readonly { readonly id: ColumnId; readonly label: string }[];
}

const PER_CONNECTION: readonly string[] = ['dns', 'tcp', 'tls'];

/** In the order of the table; `tableRow` writes its cells in the same one. */
export const COLUMN_GROUPS: readonly ColumnGroup[] = [
  single('host', 'Host', 'The host that was asked'),
  single('type', 'Type', 'What was loaded'),
  single('verdict', 'Verdict', 'The part of the average wait that dominates'),
  single('waited', 'Of all waiting', 'Requests × average: the share of all time that users waited'),
  pair('total', 'ttlb', 'To last byte', 'milliseconds', 'From the start of the fetch to the last byte'),
  single('gap', 'Gap', 'Average minus median to the last byte, ms'),
  single(
    'change',
    'Change',
    'Median to the last byte against the time before, ms; an arrow where the difference is certain',
  ),
  single('samples', 'Samples', 'All samples; the bar shows the part that could be used for times'),
  single('reused', 'Reused', 'Requests on a connection that was already open; the bar shows all connection classes'),
  pair(
    'setup',
    'setupConnection',
    'Set-up',
    'per connection',
    'DNS + TCP + TLS over new connections only: what a connection costs when it is made',
  ),
  pair(
    'setup',
    'setupRequest',
    'Set-up',
    'per request',
    'DNS + TCP + TLS over all requests, a reused connection counting 0: what it costs on the whole',
  ),
  ...PHASES.map((phase) =>
    pair(
      'phase',
      phase,
      PHASE_LABELS[phase],
      PER_CONNECTION.includes(phase) ? 'per connection' : 'per request',
      PHASE_MEANINGS[phase],
    ),
  ),
  single('browsers', 'Browsers', 'Browsers behind these samples'),
];

/** On one host's page the type names the row. */
export function columnGroups(oneHost: boolean): readonly ColumnGroup[] {
  return oneHost ? COLUMN_GROUPS.slice(1) : COLUMN_GROUPS;
}

/** Columns of words sort from A first, numbers from the largest. */
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
