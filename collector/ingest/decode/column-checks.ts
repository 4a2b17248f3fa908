import { NULL, NUMBER_INDEX } from '../../../shared/sample/sample-columns.ts';
import { PHASES } from '../../../shared/vocabulary/time-names.ts';
import { MAX_TIME } from '../../../shared/vocabulary/wire-limits.ts';
import type { RowCode } from '../../../shared/wire/wire-codes.ts';
import { BELOW_ZERO, NOT_WHOLE, type RawColumns } from './raw-columns.ts';
import type { RowFaults } from './row-faults.ts';

/** No allow-listed server metric is larger than this, in whatever unit it has. */
const MAX_METRIC = 1e15;

/** Null itself is always a legal "not known". */
export function checkWholeColumn(
  column: Float64Array | undefined,
  min: number,
  max: number,
  code: RowCode,
  faults: RowFaults,
): void {
  if (column === undefined) return;
  for (let row = 0; row < column.length; row++) {
    const value = column[row] as number;
    if ((value < min || value > max) && value !== NULL) faults.note(row, code);
  }
}

/**
 * Every time that is not known says why, and only that.
 *
 * @param reasons per row one bit for each time that it says a reason for
 * @param bit this time's
 */
export function checkTimeColumn(
  column: Float64Array | undefined,
  reasons: Int32Array,
  bit: number,
  faults: RowFaults,
): void {
  for (let row = 0; row < reasons.length; row++) {
    const value = column === undefined ? NULL : (column[row] as number);
    const explained = ((reasons[row] as number) & bit) !== 0;
    if (value >= 0 ? value <= MAX_TIME && !explained : value === NULL && explained) continue;
    faults.note(row, faultOfTime(value));
  }
}

function faultOfTime(value: number): RowCode {
  if (value === NULL) return 'reason_missing';
  if (value === BELOW_ZERO) return 'negative_time';
  return value === NOT_WHOLE || value > MAX_TIME ? 'bad_time' : 'reason_without_null';
}

const PHASE_PLACES = PHASES.map((phase) => NUMBER_INDEX[phase]);
/** Used again for every batch. */
let sumsOfPhases = new Float64Array(0);

/** Parts of a request can't last longer than the whole. */
export function checkTotals(n: number, numbers: RawColumns['numbers'], faults: RowFaults): void {
  const [ttfb, ttlb] = [numbers[NUMBER_INDEX.ttfb], numbers[NUMBER_INDEX.ttlb]];
  if (ttlb === undefined) return;
  if (sumsOfPhases.length < n) sumsOfPhases = new Float64Array(n);
  const sums = sumsOfPhases.fill(0, 0, n);
  for (const place of PHASE_PLACES) {
    const column = numbers[place];
    if (column === undefined) continue;
    for (let row = 0; row < n; row++) {
      const value = column[row] as number;
      // What is no time was found before, and is the row's fault already.
      if (value > 0) sums[row] = (sums[row] as number) + value;
    }
  }
  for (let row = 0; row < n; row++) {
    const whole = ttlb[row] as number;
    if (whole < 0) continue;
    const first = ttfb === undefined ? NULL : (ttfb[row] as number);
    if ((sums[row] as number) > whole || first > whole) faults.note(row, 'phases_exceed_total');
  }
}

export function checkMetricColumn(column: Float64Array, faults: RowFaults): void {
  for (let row = 0; row < column.length; row++) {
    // NaN, a metric that the row has not, is not larger than anything.
    if (Math.abs(column[row] as number) > MAX_METRIC) faults.note(row, 'bad_metric');
  }
}
