import type { Phase } from '../../../shared/vocabulary/time-names.ts';
import type { ColumnId } from '../state/column-ids.ts';
import type { Sort } from '../state/view-state.ts';
import { t } from '../text/t.ts';
import type { OverviewRow } from './overview-row.ts';
import type { Pair } from './pair.ts';

/** Sorted copy. Unknown values come last in both directions. */
export function sortRows(rows: readonly OverviewRow[], sort: Sort): readonly OverviewRow[] {
  const sign = sort.descending ? -1 : 1;
  return [...rows].sort((one, other) => {
    const a = sortValue(one, sort.column);
    const b = sortValue(other, sort.column);
    if (a === null || b === null) return a === b ? byName(one, other) : a === null ? 1 : -1;
    const order = typeof a === 'string' && typeof b === 'string' ? compareText(a, b) : Number(a) - Number(b);
    return order === 0 ? byName(one, other) : sign * order;
  });
}

function sortValue(row: OverviewRow, column: ColumnId): string | number | null {
  switch (column) {
    case 'host':
    case 'type':
    case 'waited':
    case 'gap':
    case 'change':
    case 'reused':
    case 'samples':
    case 'browsers':
      return row[column];
    case 'verdict':
      return row.verdict.verdict === 'unknown' ? null : t.verdicts[row.verdict.verdict];
    default:
      return pairValue(row, column);
  }
}

function pairValue(row: OverviewRow, column: Extract<ColumnId, `${string}.${string}`>): number | null {
  const [time = '', statistic] = column.split('.');
  const pair: Pair =
    time === 'ttlb' || time === 'setupConnection' || time === 'setupRequest' ? row[time] : row.phases[time as Phase];
  if (!pair.known) return null;
  return statistic === 'mean' ? pair.mean : pair.median;
}

function byName(one: OverviewRow, other: OverviewRow): number {
  return compareText(one.host, other.host) || compareText(one.type, other.type);
}

/** By code unit, not by locale, so that a link shows the same order everywhere. */
function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
