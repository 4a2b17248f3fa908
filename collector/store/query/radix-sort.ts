/** Two digits of 16 bits hold any number below 2³². */
const DIGIT_BITS = 16;
const DIGITS = 1 << DIGIT_BITS;
const MAX = 2 ** 32;
/** Below this the engine's own sort is as fast: counting costs the same for few numbers as for many. */
const MIN_LENGTH = 4096;

/** Sorts whole numbers in place, ascending: two passes over the numbers instead of many comparisons. */
export function sortWhole(values: Float64Array): void {
  const { length } = values;
  if (length < MIN_LENGTH || !fitsDigits(values)) {
    values.sort();
    return;
  }
  const numbers = new Uint32Array(length);
  const low = new Uint32Array(DIGITS + 1);
  const high = new Uint32Array(DIGITS + 1);
  for (let i = 0; i < length; i++) {
    const value = values[i] as number;
    numbers[i] = value;
    const number = numbers[i] as number;
    low[(number & (DIGITS - 1)) + 1] = (low[(number & (DIGITS - 1)) + 1] as number) + 1;
    high[(number >>> DIGIT_BITS) + 1] = (high[(number >>> DIGIT_BITS) + 1] as number) + 1;
  }
  addUp(low);
  addUp(high);
  const byLow = new Uint32Array(length);
  for (let i = 0; i < length; i++) {
    const number = numbers[i] as number;
    const digit = number & (DIGITS - 1);
    const place = low[digit] as number;
    byLow[place] = number;
    low[digit] = place + 1;
  }
  for (let i = 0; i < length; i++) {
    const number = byLow[i] as number;
    const digit = number >>> DIGIT_BITS;
    const place = high[digit] as number;
    values[place] = number;
    high[digit] = place + 1;
  }
}

/** Where each digit's numbers begin. */
function addUp(counts: Uint32Array): void {
  for (let digit = 0; digit < DIGITS; digit++) {
    counts[digit + 1] = (counts[digit + 1] as number) + (counts[digit] as number);
  }
}

function fitsDigits(values: Float64Array): boolean {
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    if (!(value >= 0 && value < MAX)) return false;
  }
  return true;
}
