import type { TimeRange } from '../../shared/vocabulary/dimensions.ts';
import type { ComputeSource } from './compute-source.ts';

/** How many browsers were first heard of in a range. */
export function computeFirstHeard({ fleet }: ComputeSource, { range }: { readonly range: TimeRange }): number {
  return fleet.firstHeard(range);
}
