import { PHASES } from '../../../shared/timing/time-names.ts';
import type { ColumnId } from '../model/column-ids.ts';
import { PHASE_LABELS, PHASE_MEANINGS } from '../model/words.ts';

/** One heading of the hosts × types table; two columns under it where it holds median and average. */
export interface ColumnGroup {
  readonly label: string;
  /** What the numbers count, where that has to be said: never an overhead without its name. */
  readonly basis: string | null;
  readonly tip: string;
  readonly columns: readonly { readonly id: ColumnId; readonly label: string }[];
  /** Left out of a closed card on a narrow screen. */
  readonly minor: boolean;
}

const PER_CONNECTION: readonly string[] = ['dns', 'tcp', 'tls'];

export const COLUMN_GROUPS: readonly ColumnGroup[] = [
  single('host', 'Host', 'The host that was asked'),
  single('type', 'Type', 'What was loaded'),
  single('verdict', 'Verdict', 'The part of the average wait that dominates'),
  single('waited', 'Of all waiting', 'Requests × average: the share of all time that users waited'),
  pair('ttlb', 'To last byte', 'ms', 'From the start of the fetch to the last byte', false),
  { ...single('gap', 'Gap', 'Average minus median to the last byte, ms'), minor: false },
  ...PHASES.map((phase) =>
    pair(
      phase,
      PHASE_LABELS[phase],
      PER_CONNECTION.includes(phase) ? 'per connection' : 'per request',
      PHASE_MEANINGS[phase],
      true,
    ),
  ),
  pair(
    'setupConnection',
    'Set-up',
    'per connection',
    'dns + tcp + tls over new connections only: what a connection costs when it is made',
    false,
  ),
  pair(
    'setupRequest',
    'Set-up',
    'per request',
    'dns + tcp + tls over all requests, a reused connection counting 0: what it costs on the whole',
    false,
  ),
  single('reused', 'Reused', 'Requests on a connection that was already open; the bar shows all connection classes'),
  single('samples', 'Samples', 'All samples; the bar shows the part that could be used for times'),
  single('browsers', 'Browsers', 'Browsers behind these samples'),
];

function single(id: ColumnId, label: string, tip: string): ColumnGroup {
  return { label, basis: null, tip, columns: [{ id, label }], minor: false };
}

function pair(
  time: 'ttlb' | (typeof PHASES)[number] | 'setupConnection' | 'setupRequest',
  label: string,
  basis: string,
  tip: string,
  minor: boolean,
): ColumnGroup {
  const columns = [
    { id: `${time}.median`, label: 'median' },
    { id: `${time}.mean`, label: 'average' },
  ] as const;
  return { label, basis, tip, columns, minor };
}
