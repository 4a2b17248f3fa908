import type { TimeRange } from '../../shared/vocabulary/dimensions.ts';
import type { ReadingSource } from '../storage/passes/reading-source.ts';

/** From the first sample or rollup that is kept to the end of the newest; null where nothing is. */
export function computeKept(source: ReadingSource, _question: Record<never, never>): TimeRange | null {
  return source.kept();
}
