import type { TimeRange } from '../../shared/vocabulary/dimensions.ts';
import type { ComputeSource } from './compute-source.ts';

/** From the first sample or rollup that is kept to the end of the newest; null where nothing is. */
export function computeKept(source: ComputeSource, _question: Record<never, never>): TimeRange | null {
  return source.kept();
}
