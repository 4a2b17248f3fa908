const DIGIT_BITS = 11;
const DIGITS = 1 << DIGIT_BITS;
const MAX = 2 ** 31;

/** Below this the engine's own sort is as fast. */
const MIN_LENGTH = 512;

/** Sorts whole numbers in place, ascending: a few passes over the numbers instead of many comparisons. */
export function sortWhole(values: Float64Array): void {
  if (values.length < MIN_LENGTH || !values.every((value) => value >= 0 && value < MAX)) {
    values.sort();
    return;
  }
  let from = Uint32Array.from(values);
  let to = new Uint32Array(values.length);
  let max = 0;
  for (const value of from) if (value > max) max = value;
  for (let shift = 0; max >>> shift > 0; shift += DIGIT_BITS) {
    const starts = new Uint32Array(DIGITS + 1);
    for (const value of from) {
      const digit = (value >>> shift) & (DIGITS - 1);
      starts[digit + 1] = (starts[digit + 1] as number) + 1;
    }
    for (let digit = 0; digit < DIGITS; digit++) {
      starts[digit + 1] = (starts[digit + 1] as number) + (starts[digit] as number);
    }
    for (const value of from) {
      const digit = (value >>> shift) & (DIGITS - 1);
      const place = starts[digit] as number;
      to[place] = value;
      starts[digit] = place + 1;
    }
    [from, to] = [to, from];
    if (shift + DIGIT_BITS > 31) break;
  }
  values.set(from);
}
