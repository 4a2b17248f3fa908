import { quantileRank } from '../../../shared/statistics/quantile-rank.ts';
import { quickselect } from '../../../shared/statistics/quickselect.ts';
import type { Waits } from './waits.ts';

/** Fewer requests have no median worth comparing. */
const MIN_ROWS = 5;
/** With fewer places, none of them can be told from the others. */
const MIN_PLACES = 3;

export interface LikeMedians {
  /** Per stratum, what is typical: the median of its places' medians, so that one place out of line does not move it. NaN if unknown. */
  readonly like: Float64Array;
  /** Median of a stratum at a place; NaN where there are too few. */
  at(stratum: number, place: number): number;
}

/** Compares like with like: the same requests at different places. @param place per row, −1 for none */
export function likeMedians(
  { strata, stratum }: Waits,
  rows: Int32Array,
  values: Float32Array,
  place: ArrayLike<number>,
  places: number,
): LikeMedians {
  const keys = strata * (places + 1);
  const starts = new Int32Array(keys + 1);
  const keyOf = (row: number) => (stratum[row] as number) * (places + 1) + (place[row] as number) + 1;
  for (const row of rows) {
    if (Number.isNaN(values[row] as number)) continue;
    const key = keyOf(row);
    starts[key + 1] = (starts[key + 1] as number) + 1;
  }
  for (let key = 0; key < keys; key++) starts[key + 1] = (starts[key + 1] as number) + (starts[key] as number);
  const ordered = new Float32Array(starts[keys] as number);
  const next = starts.slice(0, keys);
  for (const row of rows) {
    const value = values[row] as number;
    if (Number.isNaN(value)) continue;
    const key = keyOf(row);
    const at = next[key] as number;
    next[key] = at + 1;
    ordered[at] = value;
  }
  const medians = new Float64Array(keys).fill(Number.NaN);
  const like = new Float64Array(strata).fill(Number.NaN);
  for (let one = 0; one < strata; one++) {
    const first = one * (places + 1);
    const [from, to] = [starts[first] as number, starts[first + places + 1] as number];
    if (from === to) continue;
    const known: number[] = [];
    for (let key = first + 1; key <= first + places; key++) {
      const [start, end] = [starts[key] as number, starts[key + 1] as number];
      if (end - start < MIN_ROWS) continue;
      const median = findMedian(ordered.subarray(start, end));
      medians[key] = median;
      known.push(median);
    }
    like[one] =
      known.length >= MIN_PLACES ? findMedian(Float64Array.from(known)) : findMedian(ordered.subarray(from, to));
  }
  return { like, at: (one, at) => medians[one * (places + 1) + at + 1] as number };
}

/** Reorders what it is given. NaN if empty; unknown values (NaN) count as the largest. */
export function findMedian(values: Float32Array | Float64Array): number {
  const rank = quantileRank(0.5, values.length);
  let known = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    if (Number.isNaN(value)) continue;
    values[i] = values[known] as number;
    values[known++] = value;
  }
  return rank >= 0 && rank < known ? quickselect(values.subarray(0, known), rank) : Number.NaN;
}
