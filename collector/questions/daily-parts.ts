import type { TimeRange } from '../../shared/vocabulary/dimensions.ts';
import type { Within } from '../storage/passes/plan-range.ts';

const HOUR_MS = 3_600_000;
/** Twelve hours apart, so that one of them is always a working hour. */
const MIN_HOURS = 2;
/** The golden ratio: its multiples spread evenly and never repeat. */
const TURN = 0.618_033_988_75;

/**
 * Of many samples, some hours of each day, evenly spread over it and different from day to day. The same days always have the same
 * parts.
 *
 * @param bounds where days begin, and where the last one ends: ascending epoch ms
 * @param most samples to read; about as many are in the parts
 * @returns null if all of them may be read
 */
export function dailyParts(bounds: readonly number[], samples: number, most: number): Within {
  if (samples <= most) return null;
  return bounds.slice(0, -1).flatMap((start, day): TimeRange[] => {
    const hours = ((bounds[day + 1] as number) - start) / HOUR_MS;
    const wanted = (hours * most) / samples;
    const count = Math.max(MIN_HOURS, Math.floor(wanted));
    const length = Math.min(1, wanted / count) * HOUR_MS;
    const apart = hours / count;
    const turned = (day * TURN) % 1;
    return Array.from({ length: count }, (_, i) => {
      const from = start + Math.floor((i + turned) * apart) * HOUR_MS;
      return { from, to: Math.floor(from + length) };
    });
  });
}
