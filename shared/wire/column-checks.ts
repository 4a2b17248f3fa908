import { PHASES } from '../timing/time-names.ts';
import type { RawColumns } from './read-columns.ts';
import type { RowFaults } from './row-faults.ts';
import type { RowCode } from './wire-codes.ts';
import { MAX_TIME } from './wire-limits.ts';

/** No allow-listed server metric is larger than this, in whatever unit it has. */
const MAX_METRIC = 1e15;

type RawColumn = readonly unknown[];

/** Null itself is always a legal "not known". */
export function checkWholeColumn(
  column: RawColumn | null,
  min: number,
  max: number,
  code: RowCode,
  faults: RowFaults,
): void {
  if (column === null) return;
  for (let row = 0; row < column.length; row++) {
    const value = column[row] ?? null;
    if (value === null) continue;
    if (!(typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max)) faults.note(row, code);
  }
}

/**
 * Every time that is not known says why, and only that.
 *
 * @param reasons per row one bit for each time that it says a reason for
 * @param bit this time's
 */
export function checkTimeColumn(
  column: RawColumn | null,
  reasons: readonly number[],
  bit: number,
  faults: RowFaults,
): void {
  for (let row = 0; row < reasons.length; row++) {
    const value = column === null ? null : column[row];
    const explained = ((reasons[row] as number) & bit) !== 0;
    if (value === null || value === undefined) {
      if (!explained) faults.note(row, 'reason_missing');
    } else if (typeof value !== 'number' || !Number.isInteger(value) || value > MAX_TIME) faults.note(row, 'bad_time');
    else if (value < 0) faults.note(row, 'negative_time');
    else if (explained) faults.note(row, 'reason_without_null');
  }
}

/** Parts of a request can't last longer than the whole. */
export function checkTotals({ n, times }: RawColumns, faults: RowFaults): void {
  const { ttfb, ttlb } = times;
  if (ttlb === null) return;
  const sums = new Array<number>(n).fill(0);
  for (const phase of PHASES) {
    const column = times[phase];
    if (column === null) continue;
    for (let row = 0; row < n; row++) {
      const value = column[row];
      // What is no number was found before, and is the row's fault already.
      if (typeof value === 'number') sums[row] = (sums[row] as number) + value;
    }
  }
  for (let row = 0; row < n; row++) {
    const whole = ttlb[row];
    if (typeof whole !== 'number') continue;
    const first = ttfb?.[row];
    if ((sums[row] as number) > whole || (typeof first === 'number' && first > whole))
      faults.note(row, 'phases_exceed_total');
  }
}

export function checkMetricColumn(column: RawColumn, faults: RowFaults): void {
  for (let row = 0; row < column.length; row++) {
    const value = column[row] ?? null;
    if (value !== null && !(typeof value === 'number' && Math.abs(value) <= MAX_METRIC)) faults.note(row, 'bad_metric');
  }
}
