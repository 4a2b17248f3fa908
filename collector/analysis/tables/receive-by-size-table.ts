import type { Distribution } from '../../../shared/statistics/distribution.ts';
import { MIN_INTERVAL_N } from '../../../shared/statistics/median-interval.ts';
import { quantileRank } from '../../../shared/statistics/quantile-rank.ts';
import { timeStatistics } from '../../../shared/statistics/time-statistics.ts';
import type { CellAggregate } from '../../reductions/cell-aggregate.ts';
import type { TableTexts } from '../text/english-tables.ts';
import { column, type TableDocument } from './table-document.ts';

const KB = 1024;

/** Receive times by size class: class k is bodies of about 2^k KB. */
export type ReceiveBySize = ReadonlyMap<number, Distribution>;

/** null without a body. @param size bytes */
export function toSizeClass(size: number | null): number | null {
  return size === null || size === 0 ? null : Math.max(0, Math.round(Math.log2(size / KB)));
}

/**
 * How long a body takes to arrive, by size class, and from which size on that is more than half a round trip: there the
 * answer exceeds TCP's initial window and waits for acknowledgements.
 *
 * @param whole the aggregate of the same samples, for their round trip
 */
export function receiveBySizeTable(
  classes: ReceiveBySize,
  whole: CellAggregate | null,
  { titles, columns, notes }: TableTexts,
): TableDocument {
  const halfTrip = halfRoundTrip(whole);
  const rows = [...classes]
    .sort(([a], [b]) => a - b)
    .flatMap(([power, times]) => {
      const statistics = timeStatistics(times, whole?.clockStep ?? null);
      if (!statistics) return [];
      const { n, median, p75, mean } = statistics;
      const over = halfTrip === null || n < MIN_INTERVAL_N ? null : median > halfTrip ? 'yes' : 'no';
      return [{ size: 2 ** power * KB, n, median, p75, mean, over }];
    });
  return {
    title: titles.receiveBySize,
    columns: [
      column('size', columns.contentLengthAbout, 'bytes'),
      column('n', columns.requests, 'count'),
      column('median', columns.receiveMedian, 'ms'),
      column('p75', columns.receiveP75, 'ms'),
      column('mean', columns.receiveAverage, 'ms'),
      column('over', columns.overHalfTrip, 'text'),
    ],
    rows,
    notes: [crossing(rows, halfTrip, notes)],
  };
}

/** @returns ms */
function halfRoundTrip(whole: CellAggregate | null): number | null {
  const trips = whole?.roundTrip;
  return !trips || trips.n === 0 ? null : trips.valueAtRank(quantileRank(0.5, trips.n)) / 2000;
}

function crossing(
  rows: readonly { readonly size: number; readonly over: string | null }[],
  halfTrip: number | null,
  notes: TableTexts['notes'],
): string {
  if (halfTrip === null) return notes.noRoundTrip;
  const slow = (over: string | null) => over === 'yes';
  const known = rows.filter(({ over }) => over !== null);
  // The smallest size from which every known class is slow; a single slow class below it does not count.
  const begin = known.map(({ over }) => slow(over)).lastIndexOf(false) + 1;
  const first = known[begin];
  const below = known.slice(0, begin).filter(({ over }) => slow(over));
  const sizes = below.map(({ size }) => `${size / KB} KB`).join(', ');
  return first === undefined ? notes.noneSlow(halfTrip, sizes) : notes.slowFrom(first.size / KB, halfTrip, sizes);
}
