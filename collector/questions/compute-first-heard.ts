import type { TimeRange } from '../../shared/vocabulary/dimensions.ts';
import type { ReadingSource } from '../storage/passes/reading-source.ts';

/** How many browsers were first heard of in a range. */
export function computeFirstHeard({ fleet }: ReadingSource, { range }: { readonly range: TimeRange }): number {
  return fleet.firstHeard(range);
}
