import { NULL, NUMBER_INDEX, TEXT_INDEX, type TextColumn } from '../../../shared/sample/sample-columns.ts';
import { PHASES, TIME_NAMES } from '../../../shared/vocabulary/time-names.ts';
import { MAX_TIME } from '../../../shared/vocabulary/wire-limits.ts';
import type { RowCode } from '../../../shared/wire/wire-codes.ts';
import type { BatchColumns } from '../../storage/columns/batch-columns.ts';
import { BELOW_ZERO, NOT_WHOLE } from './read-columns.ts';
import type { RowFaults } from './row-faults.ts';

const PHASE_INDEXES = PHASES.map((phase) => NUMBER_INDEX[phase]);

/** Reused for every batch. */
let phaseSums = new Float64Array(0);
let reasonMasks = new Int32Array(0);

function zeroedPhaseSums(n: number): Float64Array {
  if (phaseSums.length < n) phaseSums = new Float64Array(n);
  return phaseSums.fill(0, 0, n);
}

/** Unknown times, and only those, have a reason, and parts of a request don't last longer than the whole. */
export function validateTimes({ n, numbers, texts }: BatchColumns, faults: RowFaults): void {
  const reasons = reasonsByRow(n, texts[TEXT_INDEX.unknown]);
  // Times are the first of the numbers.
  for (let index = 0; index < TIME_NAMES.length; index++) validateTime(numbers[index], reasons, 1 << index, faults);
  validateTotals(n, numbers, faults);
}

/** @param bit of this time in `reasons` */
function validateTime(column: Float64Array | undefined, reasons: Int32Array, bit: number, faults: RowFaults): void {
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

function validateTotals(n: number, numbers: BatchColumns['numbers'], faults: RowFaults): void {
  const [ttfb, ttlb] = [numbers[NUMBER_INDEX.ttfb], numbers[NUMBER_INDEX.ttlb]];
  if (ttlb === undefined) return;
  const sums = zeroedPhaseSums(n);
  for (const index of PHASE_INDEXES) {
    const column = numbers[index];
    if (column === undefined) continue;
    for (let row = 0; row < n; row++) {
      const value = column[row] as number;
      // Values that aren't times are already faults of their rows.
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

/** Per row one bit for each time that has a reason. Valid until the next batch. */
function reasonsByRow(n: number, unknown: TextColumn | undefined): Int32Array {
  if (reasonMasks.length < n) reasonMasks = new Int32Array(n);
  const reasons = reasonMasks.subarray(0, n);
  if (unknown === undefined) return reasons.fill(0);
  const { codes } = unknown;
  const masks = unknown.strings.map(reasonMask);
  for (let row = 0; row < n; row++) {
    const index = codes[row] as number;
    // An invalid index is already a fault of its row.
    reasons[row] = index === NULL ? 0 : (masks[index] ?? 0);
  }
  return reasons;
}

/** There are few combinations, and every batch has some. The cache starts over when it is full. */
const MAX_MASKS = 1000;
const maskOfReasons = new Map<string, number>();

/** The bits of a `reasonsText`. */
function reasonMask(reasons: string): number {
  const known = maskOfReasons.get(reasons);
  if (known !== undefined) return known;
  let mask = 0;
  for (const part of reasons === '' ? [] : reasons.split(' ')) {
    mask |= 1 << (TIME_NAMES as readonly string[]).indexOf(part.slice(0, part.indexOf('=')));
  }
  if (maskOfReasons.size >= MAX_MASKS) maskOfReasons.clear();
  maskOfReasons.set(reasons, mask);
  return mask;
}
