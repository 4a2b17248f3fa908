import type { TimeRange } from '../../shared/vocabulary/dimensions.ts';
import type { Within } from '../storage/passes/plan-range.ts';
import type { RangeReader } from '../storage/passes/range-reader.ts';

const HOUR_MS = 3_600_000;
const HOURS = 24;
/** Days on which each hour of the day is read: with fewer, a slow hour could not be told from a bad day. */
const MIN_DAYS = 3;
/** Multiples of these, without their whole part, are spread evenly and never repeat (Roberts, 2018: R₃). */
const [BY_HOUR, BY_BLOCK, BY_PART] = [0.819_172_513_4, 0.671_043_606_7, 0.549_700_477_9];

/**
 * Of a long range, parts of hours: as many days of each hour of the day, spread over all days, so that neither working hours nor
 * weekdays count more than they are. The same range always has the same parts.
 *
 * @param samples in the range
 * @param most samples to read; about as many are in the parts
 * @returns null if all of them may be read
 */
export function drawnParts({ from, to }: TimeRange, samples: number, most: number): Within {
  if (samples <= most) return null;
  const first = Math.floor(from / HOUR_MS);
  const hours = Math.ceil(to / HOUR_MS) - first;
  const days = Math.ceil(hours / HOURS);
  const wanted = (hours * most) / samples;
  const drawn = Math.min(days, Math.max(MIN_DAYS, Math.ceil(wanted / HOURS)));
  const length = Math.min(HOUR_MS, (HOUR_MS * wanted) / (HOURS * drawn));
  const parts = new Map<number, TimeRange>();
  for (let block = 0; block < drawn; block++) {
    for (let hour = 0; hour < HOURS; hour++) {
      const day = Math.floor((block + fraction(hour * BY_HOUR + block * BY_BLOCK)) * (days / drawn));
      const start = first + day * HOURS + hour;
      const into = fraction(hour * BY_PART + block * BY_HOUR) * (HOUR_MS - length);
      const part = { from: Math.floor(start * HOUR_MS + into), to: Math.floor(start * HOUR_MS + into + length) };
      const inside = { from: Math.max(from, part.from), to: Math.min(to, part.to) };
      if (inside.from < inside.to) parts.set(start, inside);
    }
  }
  return [...parts.values()].sort((a, b) => a.from - b.from);
}

/** The same reader, and how many rows it has read. */
export function countingReader(all: RangeReader): { readonly reader: RangeReader; readonly read: () => number } {
  let read = 0;
  const reader = all.changed((part) => {
    read += part.inside === null ? part.columns.n : part.inside.reduce((sum, one) => sum + one, 0);
    return part;
  });
  return { reader, read: () => read };
}

function fraction(value: number): number {
  return value - Math.floor(value);
}
