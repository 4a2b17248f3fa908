import type { TimeRange } from '../../../shared/vocabulary/dimensions.ts';

/** The parts of a range that count, apart and in order, such as its business hours; all of it where null. */
export type Within = readonly TimeRange[] | null;

/** What of those parts lies in a range; null where all of it does. */
export function withinPart({ from, to }: TimeRange, within: Within): Within {
  if (within === null) return null;
  return within
    .map((part) => ({ from: Math.max(part.from, from), to: Math.min(part.to, to) }))
    .filter((part) => part.from < part.to);
}
