import type { Axis } from './axes.ts';
import type { Quantity } from './quantities.ts';
import type { CellSums } from './usual.ts';

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
  /** −1 where nothing was asked, or the code is unknown. */
  const stratumAt = (row: number, cell: number) =>
    ofCell[cell] === 0 || (codes[row] as number) < 0
      ? -1
      : (stratum[row] as number) * kinds + (within === null ? 0 : (within.codes[row] as number));
  const { starts, order } = orderByCode(cells.rows.map(stratumAt), ofAll * kinds);
  const likes = new Float32Array(observed.length).fill(Number.NaN);
  // Browsers times strata would be millions of sums, nearly all of them empty: one stratum after the other.
  const n = new Float64Array(size);
  const sums = new Float64Array(size);
  const seen = new Int32Array(size);
  const means = new Float64Array(size);
  for (let one = 0; one + 1 < starts.length; one++) {
    const [from, to] = [starts[one] as number, starts[one + 1] as number];
    let all = 0;
    for (let i = from; i < to; i++) all += ofCell[order[i] as number] as number;
    if (all < 2 * MIN_ROWS) continue;
    let [total, codesSeen, known] = [0, 0, 0];
    for (let i = from; i < to; i++) {
      const cell = order[i] as number;
      const row = cells.rows[cell] as number;
      const code = codes[row] as number;
      const ms = (observed[cell] as number) / factorAt(row);
      if (n[code] === 0) seen[codesSeen++] = code;
      n[code] = (n[code] as number) + (ofCell[cell] as number);
      sums[code] = (sums[code] as number) + ms;
      total += ms;
    }
    for (let i = 0; i < codesSeen; i++) {
      const code = seen[i] as number;
      if ((n[code] as number) >= MIN_ROWS) means[known++] = (sums[code] as number) / (n[code] as number);
    }
    const sorted = means.subarray(0, known).sort();
    for (let i = 0; i < codesSeen; i++) {
      const code = seen[i] as number;
      const [own, ms] = [n[code] as number, sums[code] as number];
      n[code] = 0;
      if (known > MIN_PLACES && name !== 'errors')
        sums[code] = medianWithout(sorted, own >= MIN_ROWS ? ms / own : null);
      else sums[code] = all - own >= MIN_ROWS ? (total - ms) / (all - own) : Number.NaN;
    }
    for (let i = from; i < to; i++) {
      const cell = order[i] as number;
      const row = cells.rows[cell] as number;
      likes[cell] = (sums[codes[row] as number] as number) * factorAt(row);
    }
    for (let i = 0; i < codesSeen; i++) sums[seen[i] as number] = 0;
  }
  return likes;
}

/** Indexes by their code, those of a code in their order; `starts` has where each code's begin, and the end. Those below 0 are in none. */
function orderByCode(codes: Int32Array, size: number): { readonly starts: Int32Array; readonly order: Int32Array } {
  const starts = new Int32Array(size + 1);
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i] as number;
    if (code >= 0) starts[code + 1] = (starts[code + 1] as number) + 1;
  }
  for (let code = 0; code < size; code++) starts[code + 1] = (starts[code + 1] as number) + (starts[code] as number);
  const next = starts.slice();
  const order = new Int32Array(starts[size] as number);
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i] as number;
    if (code < 0) continue;
    order[next[code] as number] = i;
    next[code] = (next[code] as number) + 1;
  }
  return { starts, order };
}

/** The median of sorted values without one of them. */
function medianWithout(sorted: Float64Array, own: number | null): number {
  const at = own === null ? -1 : indexIn(sorted, own);
  const n = sorted.length - (at < 0 ? 0 : 1);
  const middle = (n - 1) / 2;
  const read = (index: number) => sorted[at >= 0 && index >= at ? index + 1 : index] as number;
  return (read(Math.floor(middle)) + read(Math.ceil(middle))) / 2;
}

/** Where a value is in sorted ones that have it. */
function indexIn(sorted: Float64Array, value: number): number {
  let [low, high] = [0, sorted.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
