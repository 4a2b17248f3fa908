/** Nearly all times fit into 32 bits; a larger one widens the list that holds it. */
const MAX_NARROW = 2 ** 31 - 1;
const MIN_NARROW = -(2 ** 31);
const START_LENGTH = 1024;
/** A list grows by its length, up to this many values at a time. */
const MAX_STEP = 1 << 16;

export type IntegerArray = Int32Array | Float64Array;

export function isNarrow(value: number): boolean {
  return value <= MAX_NARROW && value >= MIN_NARROW;
}

/** A growing array of whole numbers, in half the memory as long as all fit into 32 bits. */
export class WholeValues {
  values: IntegerArray = new Int32Array(0);
  length = 0;

  add(value: number): void {
    this.reserve(1);
    if (!isNarrow(value)) this.widen();
    this.values[this.length++] = value;
  }

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

/** The first `length` values are used. */
export interface ListPart {
  readonly values: IntegerArray;
  length: number;
}

/**
 * A growing list of whole numbers that are never moved: growing an array copies it, which for ten million values is as much
 * again to write and twice as much to collect.
 */
export class IntegerList {
  private readonly filled: ListPart[] = [];
  length = 0;

  add(value: number): void {
    const part = this.reserve(1, isNarrow(value));
    part.values[part.length++] = value;
    this.length++;
  }

  /** A part with space for `n` more. The caller writes them and adds `n` to the lengths of the part and of the list. */
  reserve(n: number, narrow: boolean): ListPart {
    const last = this.filled.at(-1);
    const fits = last !== undefined && last.length + n <= last.values.length;
    if (fits && (narrow || last.values instanceof Float64Array)) return last;
    const size = Math.max(n, Math.min(this.length, MAX_STEP), START_LENGTH);
    const part = { values: narrow ? new Int32Array(size) : new Float64Array(size), length: 0 };
    this.filled.push(part);
    return part;
  }

  /** The values, in the arrays that hold them. */
  parts(): IntegerArray[] {
    return this.filled.map(({ values, length }) => values.subarray(0, length));
  }
}
