import type { WholeArray } from '../pack/whole-values.ts';

/** Below this the engine's own sort is as fast: counting costs the same for few numbers as for many. */
const MIN_LENGTH = 1024;
/** Counts of so many bits' digits stay in the processor's nearest memory. */
const MAX_DIGIT_BITS = 13;

/** Used again for every sort: none is interrupted by another. */
let scratch = new Int32Array(0);
const counts = new Int32Array(1 << MAX_DIGIT_BITS);

/** The first `length` numbers, ascending, in an array of their own. Whole numbers only. */
export function sortedCopy(values: WholeArray, length: number): WholeArray {
  const { least, largest } = extremes(values, length);
  const span = largest - least;
  if (length < MIN_LENGTH || values instanceof Float64Array || span >= 2 ** 31) return values.slice(0, length).sort();
  const bits = Math.max(1, 32 - Math.clz32(span));
  const passes = Math.ceil(bits / MAX_DIGIT_BITS);
  const width = Math.ceil(bits / passes);
  if (scratch.length < length) scratch = new Int32Array(Math.max(length, scratch.length * 2));
  const sorted = new Int32Array(length);
  let from: Int32Array = values;
  for (let pass = 0; pass < passes; pass++) {
    // So that the last pass ends where the answer is.
    const to: Int32Array = (passes - pass) % 2 === 1 ? sorted : scratch;
    sortByDigit(from, to, length, pass * width, width, least);
    from = to;
  }
  return sorted;
}

function sortByDigit(from: Int32Array, to: Int32Array, length: number, shift: number, width: number, least: number) {
  const mask = (1 << width) - 1;
  counts.fill(0, 0, mask + 1);
  for (let i = 0; i < length; i++) {
    const digit = (((from[i] as number) - least) >>> shift) & mask;
    counts[digit] = (counts[digit] as number) + 1;
  }
  let start = 0;
  for (let digit = 0; digit <= mask; digit++) {
    const count = counts[digit] as number;
    counts[digit] = start;
    start += count;
  }
  for (let i = 0; i < length; i++) {
    const value = from[i] as number;
    const digit = ((value - least) >>> shift) & mask;
    const place = counts[digit] as number;
    to[place] = value;
    counts[digit] = place + 1;
  }
}

function extremes(values: WholeArray, length: number): { least: number; largest: number } {
  let least = values[0] ?? 0;
  let largest = least;
  for (let i = 1; i < length; i++) {
    const value = values[i] as number;
    if (value < least) least = value;
    if (value > largest) largest = value;
  }
  return { least, largest };
}
