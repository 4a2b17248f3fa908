import { quantileRank } from './quantile-rank.ts';

/** Values, sorted once; a draw only changes how often each of their units counts. */
export interface UnitValues {
  /** Ascending. */
  readonly sorted: Float64Array;
  /** The unit (a browser, or the sample itself) of each sorted value. */
  readonly unitOf: Uint32Array;
}

/** @param times how often each unit counts @returns null if none counts */
export function weightedMedian({ sorted, unitOf }: UnitValues, times: Uint32Array): number | null {
  let n = 0;
  for (const unit of unitOf) n += times[unit] as number;
  if (n === 0) return null;
  const rank = quantileRank(0.5, n);
  let seen = 0;
  for (let i = 0; i < sorted.length; i++) {
    seen += times[unitOf[i] as number] as number;
    if (seen > rank) return sorted[i] as number;
  }
  return null;
}
