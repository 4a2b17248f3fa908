/** Times are of 32 bits but for a few; those that are not widen the list that they are in. */
const MAX_NARROW = 2 ** 31 - 1;
const MIN_NARROW = -(2 ** 31);
const START_LENGTH = 1024;

/** Whole numbers in either kind of array; most fit into the narrow one. */
export type IntegerArray = Int32Array | Float64Array;

export function isNarrow(value: number): boolean {
  return value <= MAX_NARROW && value >= MIN_NARROW;
}

/** A growing list of whole numbers, in half the room as long as all have 32 bits. */
export class WholeValues {
  values: IntegerArray = new Int32Array(0);
  length = 0;

  add(value: number): void {
    this.reserve(1);
    if (!isNarrow(value)) this.widen();
    this.values[this.length++] = value;
  }

  /** Makes room behind `length`. */
  reserve(n: number): void {
    const { values, length } = this;
    if (length + n <= values.length) return;
    const size = Math.max(length + n, values.length * 2, START_LENGTH);
    const grown = values instanceof Int32Array ? new Int32Array(size) : new Float64Array(size);
    grown.set(values.subarray(0, length));
    this.values = grown;
  }

  widen(): void {
    if (this.values instanceof Int32Array) this.values = Float64Array.from(this.values);
  }
}
