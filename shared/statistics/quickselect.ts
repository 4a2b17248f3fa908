/**
 * The value that would be at `rank` if the array were sorted: Hoare's FIND (1961), which sorts only as far as needed and takes
 * a time that grows with the number of values.
 *
 * @param values at least one, none NaN; reordered
 */
export function quickselect(values: Float64Array | Float32Array, rank: number): number {
  let left = 0;
  let right = values.length - 1;
  while (left < right) {
    const pivot = medianOfThree(values[left] as number, values[(left + right) >> 1] as number, values[right] as number);
    let i = left;
    let j = right;
    while (i <= j) {
      while ((values[i] as number) < pivot) i++;
      while ((values[j] as number) > pivot) j--;
      if (i > j) break;
      const kept = values[i] as number;
      values[i++] = values[j] as number;
      values[j--] = kept;
    }
    if (rank <= j) right = j;
    else if (rank >= i) left = i;
    else break;
  }
  return values[rank] as number;
}

/** Ordered values, as times of one browser often are, then take no longer than others. */
function medianOfThree(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}
