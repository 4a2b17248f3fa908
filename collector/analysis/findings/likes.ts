import type { Axis } from './axes.ts';
import type { Quantity } from './quantities.ts';
import { type CellSums, sumByCode } from './usual.ts';

/** Fewer requests have no mean worth comparing. */
const MIN_ROWS = 5;
/** With fewer of its kind no place can be told from the others: all others together are compared. */
const MIN_PLACES = 3;

/**
 * Per cell, what a request takes that is like it in everything but the axis: the median over the other codes of the axis of the
 * means of its stratum, so that one code out of line moves nothing; with few codes, the mean of all others.
 * NaN where there is nothing to compare with.
 * @param within only what has this in common is alike
 *
 * @param sums by the axis
 * @param factorAt what its site and host make of a row: other codes may be asked from other sites
 */
export function likeElsewhere(
  { name, stratum, strata: ofAll }: Quantity,
  { cells, n: ofCell, observed }: CellSums,
  { codes, size }: Axis,
  factorAt: (row: number) => number,
  within: Axis | null = null,
): Float32Array {
  const kinds = within?.size ?? 1;
  const strata = ofAll * kinds;
  /** −1 where the code is unknown. */
  const idAt = (row: number) => {
    const one = (stratum[row] as number) * kinds + (within === null ? 0 : (within.codes[row] as number));
    return (codes[row] as number) < 0 ? -1 : one * size + (codes[row] as number);
  };
  const alike = observed.map((ms, cell) => ms / factorAt(cells.rows[cell] as number));
  const [n, sums] = sumByCode(cells.rows, strata * size, idAt, ofCell, alike);
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
  return new Float32Array(observed).map((_, cell) => {
    const row = cells.rows[cell] as number;
    return (likes[idAt(row)] ?? Number.NaN) * factorAt(row);
  });
}

/** The median of sorted values without one of them. */
function medianWithout(sorted: readonly number[], own: number | null): number {
  const at = own === null ? -1 : sorted.indexOf(own);
  const n = sorted.length - (at < 0 ? 0 : 1);
  const middle = (n - 1) / 2;
  const read = (index: number) => sorted[at >= 0 && index >= at ? index + 1 : index] as number;
  return (read(Math.floor(middle)) + read(Math.ceil(middle))) / 2;
}
