import type { TimeRange } from '../../shared/vocabulary/dimensions.ts';
import type { Within } from '../storage/passes/plan-range.ts';
import type { RangeReader } from '../storage/passes/range-reader.ts';

const MINUTE_MS = 60_000;
/** Days, hours or minutes, the first of which the range has at least eight; each has 24 slots. */
const PERIODS_MS = [24 * 60 * MINUTE_MS, 60 * MINUTE_MS, MINUTE_MS] as const;
const SLOTS = 24;
/** Of each period: eight hours apart, one of a day's is always a working hour. */
const MIN_PARTS = 3;
/** Where the parts of successive periods begin: those far apart follow each other. */
const TURNS = [0, 4, 2, 6, 1, 5, 3, 7] as const;
/** The golden ratio: its multiples spread evenly and never repeat. */
const TURN = 0.618_033_988_75;

/**
 * Of many samples, some hours of each day (UTC) or parts of them, evenly spread over it and different from day to day: within eight
 * days each hour of the day occurs as often. Of a shorter range, parts of each hour or minute. The share of time is a power of a half, so
 * a day has the same parts whatever range it is read in, unless that has more than twice as many samples.
 *
 * @param samples in the range
 * @param most samples to read; at least half as many are in the parts
 * @returns null if all of them may be read
 */
export function drawnParts({ from, to }: TimeRange, samples: number, most: number): Within {
  if (samples <= most) return null;
  const period = PERIODS_MS.find((ms) => to - from >= TURNS.length * ms) ?? MINUTE_MS;
  const share = 2 ** -Math.ceil(Math.log2(samples / most));
  const count = Math.max(MIN_PARTS, SLOTS * share);
  const apart = SLOTS / count;
  const slot = period / SLOTS;
  const length = Math.min(1, apart * share) * slot;
  const parts: TimeRange[] = [];
  for (let number = Math.floor(from / period); number * period < to; number++) {
    for (let i = 0; i < count; i++) {
      const first = i * apart + ((TURNS[number % TURNS.length] as number) % apart);
      const into = ((number * count + i) * TURN) % 1;
      const start = Math.floor(number * period + first * slot + into * (slot - length));
      const part = { from: Math.max(from, start), to: Math.min(to, start + length) };
      if (part.from < part.to) parts.push(part);
    }
  }
  return parts;
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
