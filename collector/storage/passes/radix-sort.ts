import type { IntegerArray } from '../rollups/integer-list.ts';

/** Below this the engine's own sort is as fast, because counting has a fixed cost. */
const MIN_LENGTH = 1024;
/** Digit counts up to this many bits fit into the L1 cache. */
const MAX_DIGIT_BITS = 13;
/** Numbers have up to 31 bits besides the sign. */
const MAX_DIGITS = 3;

/** Reused: sorts never overlap. */
let scratch = new Int32Array(0);
/** Per digit position, lowest first: how often each digit occurs, then where the next number with it goes. */
const counts = Array.from({ length: MAX_DIGITS }, () => new Int32Array(1 << MAX_DIGIT_BITS));

/** The whole numbers of all arrays in a new ascending array. */
export function sortedCopy(parts: readonly IntegerArray[]): IntegerArray {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const narrow = parts.filter((part) => part instanceof Int32Array);
  const { least, largest } = extremes(parts);
  const span = largest - least;
  if (length < MIN_LENGTH || narrow.length < parts.length || span >= 2 ** 31) return joined(parts, length).sort();
  const bits = Math.max(1, 32 - Math.clz32(span));
  const passes = Math.ceil(bits / MAX_DIGIT_BITS);
  const width = Math.ceil(bits / passes);
  if (scratch.length < length) scratch = new Int32Array(Math.max(length, scratch.length * 2));
  const sorted = new Int32Array(length);
  countDigits(narrow, passes, width, least);
  let from = narrow;
  for (let pass = 0; pass < passes; pass++) {
    // Alternates so that the last pass writes to the result.
    const to = (passes - pass) % 2 === 1 ? sorted : scratch.subarray(0, length);
    for (const part of from) sortByDigit(part, to, pass, width, least);
    from = [to];
  }
  return sorted;
}

/** Counts the digits of all positions in one pass, into separate arrays to avoid dependencies between the counts. */
function countDigits(parts: readonly Int32Array[], passes: number, width: number, least: number): void {
  const size = 1 << width;
  const mask = size - 1;
  const [low, high, highest] = counts as [Int32Array, Int32Array, Int32Array];
  for (const digits of counts) digits.fill(0, 0, size);
  for (const part of parts) {
    for (let i = 0; i < part.length; i++) {
      const value = (part[i] as number) - least;
      const first = value & mask;
      const second = (value >>> width) & mask;
      low[first] = (low[first] as number) + 1;
      high[second] = (high[second] as number) + 1;
      if (passes < MAX_DIGITS) continue;
      const third = value >>> (2 * width);
      highest[third] = (highest[third] as number) + 1;
    }
  }
  for (const digits of counts) {
    let start = 0;
    for (let digit = 0; digit < size; digit++) {
      const count = digits[digit] as number;
      digits[digit] = start;
      start += count;
    }
  }
}

function sortByDigit(from: Int32Array, to: Int32Array, pass: number, width: number, least: number): void {
  const starts = counts[pass] as Int32Array;
  const mask = (1 << width) - 1;
  const shift = pass * width;
  for (let i = 0; i < from.length; i++) {
    const value = from[i] as number;
    const digit = ((value - least) >>> shift) & mask;
    const next = starts[digit] as number;
    to[next] = value;
    starts[digit] = next + 1;
  }
}

function extremes(parts: readonly IntegerArray[]): { least: number; largest: number } {
  let least = Number.POSITIVE_INFINITY;
  let largest = Number.NEGATIVE_INFINITY;
  for (const part of parts) {
    let low = part[0] ?? least;
    let high = part[0] ?? largest;
    for (let i = 1; i < part.length; i++) {
      const value = part[i] as number;
      if (value < low) low = value;
      if (value > high) high = value;
    }
    if (low < least) least = low;
    if (high > largest) largest = high;
  }
  return { least, largest };
}

function joined(parts: readonly IntegerArray[], length: number): IntegerArray {
  const wide = parts.some((part) => part instanceof Float64Array);
  const all = wide ? new Float64Array(length) : new Int32Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
