import type { Axis } from './axes.ts';
import type { Quantity } from './quantities.ts';

/** Fewer requests have no mean worth comparing. */
const MIN_ROWS = 5;
/** With fewer of its kind no place can be told from the others: all others together are compared. */
const MIN_PLACES = 3;

/**
 * Per row, what a request takes that is like it in everything but the axis: the median over the other codes of the axis of the
 * means of its stratum, so that one code out of line moves nothing; with few codes, the mean of all others.
 * NaN where there is nothing to compare with.
 * @param within only what has this in common is alike
 *
 * @param rows those compared
 * @param usual per row, what its site and host make of it: other codes may be asked from other sites
 */
export function likeElsewhere(
  { name, values, stratum: of, strata: ofAll }: Quantity,
  rows: Int32Array,
  { codes, size }: Axis,
  usual: Float32Array | null,
  within: Axis | null = null,
): Float32Array {
  const strata = ofAll * (within?.size ?? 1);
  const stratum = within === null ? of : of.map((one, row) => one * within.size + (within.codes[row] as number));
  const n = new Float64Array(strata * size);
  const sums = new Float64Array(strata * size);
  for (const row of rows) {
    const code = codes[row] as number;
    if (code < 0) continue;
    const cell = (stratum[row] as number) * size + code;
    n[cell] = (n[cell] as number) + 1;
    sums[cell] = (sums[cell] as number) + (values[row] as number) / (usual === null ? 1 : (usual[row] as number));
  }
  const likes = new Float64Array(strata * size).fill(Number.NaN);
  for (let one = 0; one < strata; one++) {
    const [from, to] = [one * size, (one + 1) * size];
    let [all, total] = [0, 0];
    const means: number[] = [];
    for (let cell = from; cell < to; cell++) {
      all += n[cell] as number;
      total += sums[cell] as number;
      if ((n[cell] as number) >= MIN_ROWS) means.push((sums[cell] as number) / (n[cell] as number));
    }
    if (all < 2 * MIN_ROWS) continue;
    means.sort((a, b) => a - b);
    for (let cell = from; cell < to; cell++) {
      const own = n[cell] as number;
      if (own === 0) continue;
      const others = all - own;
      if (means.length > MIN_PLACES && name !== 'errors')
        likes[cell] = medianWithout(means, own >= MIN_ROWS ? (sums[cell] as number) / own : null);
      else if (others >= MIN_ROWS) likes[cell] = (total - (sums[cell] as number)) / others;
    }
  }
  const like = new Float32Array(values.length).fill(Number.NaN);
  for (const row of rows) {
    const code = codes[row] as number;
    if (code < 0) continue;
    const value = likes[(stratum[row] as number) * size + code] as number;
    like[row] = usual === null ? value : value * (usual[row] as number);
  }
  return like;
}

/** The median of sorted values without one of them. */
function medianWithout(sorted: readonly number[], own: number | null): number {
  const at = own === null ? -1 : sorted.indexOf(own);
  const n = sorted.length - (at < 0 ? 0 : 1);
  const middle = (n - 1) / 2;
  const read = (index: number) => sorted[at >= 0 && index >= at ? index + 1 : index] as number;
  return (read(Math.floor(middle)) + read(Math.ceil(middle))) / 2;
}
