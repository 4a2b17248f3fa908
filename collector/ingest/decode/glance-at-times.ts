import { NUMBER_INDEX } from '../../../shared/sample/sample-columns.ts';
import { PHASES, TIME_NAMES } from '../../../shared/vocabulary/time-names.ts';
import type { RawColumns } from './raw-columns.ts';

/** Times are the first of the numbers, phases the first of the times. */
const ALL_TIMES = (1 << TIME_NAMES.length) - 1;
const ALL_PHASES = (1 << PHASES.length) - 1;
/** How many bits are set in each number up to ALL_PHASES. */
const BITS_OF = Uint8Array.from({ length: ALL_PHASES + 1 }, (_, bits) => bits.toString(2).replaceAll('0', '').length);

/** Used again for every batch. */
let sumsOfPhases = new Float64Array(0);

/**
 * Whether a glance shows that no time of any row has a fault: none is as long as a day, those that are not known are those
 * that a reason is given for, and parts are not longer than the whole. False proves nothing: then each is judged. One
 * look at a row in place of one at each of its times, and nothing that a processor would have to guess.
 *
 * @param reasons per row one bit for each time that it says a reason for
 */
export function glanceAtTimes({ n, numbers, glance }: RawColumns, reasons: Int32Array): boolean {
  if (glance === undefined) return false;
  const { nulls, short } = glance;
  if (sumsOfPhases.length < n) sumsOfPhases = new Float64Array(n);
  const sums = sumsOfPhases.fill(0, 0, n);
  let absent = 0;
  for (let place = 0; place < TIME_NAMES.length; place++) {
    const column = numbers[place];
    if (column === undefined) absent |= 1 << place;
    else if (place < PHASES.length)
      for (let row = 0; row < n; row++) sums[row] = (sums[row] as number) + (column[row] as number);
  }
  if (((short | absent) & ALL_TIMES) !== ALL_TIMES) return false;
  const [ttfb, ttlb] = [numbers[NUMBER_INDEX.ttfb], numbers[NUMBER_INDEX.ttlb]];
  if (ttfb === undefined || ttlb === undefined) return false;
  for (let row = 0; row < n; row++) {
    const unknown = nulls[row] as number;
    if (((unknown | absent) & ALL_TIMES) !== reasons[row]) return false;
    const whole = ttlb[row] as number;
    // NULL is −1: each took one from the sum. Where the whole is not known nothing is too long for it.
    const known = (sums[row] as number) + (BITS_OF[unknown & ALL_PHASES] as number);
    if ((known > whole || (ttfb[row] as number) > whole) && whole >= 0) return false;
  }
  return true;
}
