import type { Distribution } from '../../../shared/statistics/distribution.ts';
import { MIN_INTERVAL_N } from '../../../shared/statistics/median-interval.ts';
import { quantileRank } from '../../../shared/statistics/quantile-rank.ts';
import { timeStatistics } from '../../../shared/statistics/time-statistics.ts';
import type { CellAggregate } from '../../reductions/cell-aggregate.ts';
import { column, type TableDocument } from './table-document.ts';

const KB = 1024;

/** Receive times by size class: class k is bodies of about 2^k KB. */
export type ReceiveBySize = ReadonlyMap<number, Distribution>;

/** null where there is nothing to receive. @param size bytes */
export function sizeClassOf(size: number | null): number | null {
  return size === null || size === 0 ? null : Math.max(0, Math.round(Math.log2(size / KB)));
}

/**
 * How long a body takes to arrive, by size class, and from which size on that is more than half a round trip: there the
 * answer no longer fits into what TCP sends at once, and waits for acknowledgements.
 *
 * @param whole the aggregate of the same samples, for their round trip
 */
export function receiveBySizeTable(classes: ReceiveBySize, whole: CellAggregate | null): TableDocument {
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
    title: 'Receive by size',
    columns: [
      column('size', 'Content length, about', 'bytes'),
      column('n', 'Requests', 'count'),
      column('median', 'Receive, median', 'ms'),
      column('p75', 'Receive, p75', 'ms'),
      column('mean', 'Receive, average', 'ms'),
      column('over', 'More than half a round trip', 'text'),
    ],
    rows,
    notes: [crossing(rows, halfTrip)],
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
): string {
  if (halfTrip === null) return 'No new connection was seen, so there is no round trip to compare with.';
  const half = `half a round trip (${halfTrip.toFixed(1)} ms)`;
  const slow = (over: string | null) => over === 'yes';
  const told = rows.filter(({ over }) => over !== null);
  // One odd class below is no beginning: from there on all that can be told have to be slow.
  const begin = told.map(({ over }) => slow(over)).lastIndexOf(false) + 1;
  const first = told[begin];
  const below = told.slice(0, begin).filter(({ over }) => slow(over));
  const sizes = below.map(({ size }) => `${size / KB} KB`).join(', ');
  if (first) {
    const exception = sizes === '' ? '' : ` About ${sizes} does too, though larger ones do not.`;
    return `From about ${first.size / KB} KB on, receiving takes more than ${half}.${exception}`;
  }
  return sizes === ''
    ? `No size takes more than ${half}.`
    : `There is no size from which on receiving takes more than ${half}. About ${sizes} does, though larger ones do not.`;
}
