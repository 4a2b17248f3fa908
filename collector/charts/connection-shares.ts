import { CONNECTIONS, type Connection } from '../../shared/vocabulary/vocabulary.ts';
import type { SummaryCell } from '../analysis/summary/summary-document.ts';
import type { Texts } from '../analysis/text/english.ts';

export interface ConnectionShare {
  readonly connection: Connection;
  readonly label: string;
  readonly count: number;
  /** Share of all samples of the cell, 0…1. */
  readonly share: number;
}

/** The classes that occur, in the vocabulary's order. */
export function connectionShares(
  cell: Pick<SummaryCell, 'connections' | 'samples'>,
  { connections }: Texts,
): readonly ConnectionShare[] {
  return CONNECTIONS.map((connection) => ({ connection, count: cell.connections[connection] ?? 0 }))
    .filter(({ count }) => count > 0)
    .map(({ connection, count }) => ({
      connection,
      label: connections[connection],
      count,
      share: count / cell.samples,
    }));
}

export function describeConnections(shares: readonly ConnectionShare[], { numbers }: Texts): string {
  return shares
    .map(({ label, count, share }) => `${label} ${numbers.count(count)} (${numbers.wholeShare(share)})`)
    .join(', ');
}
