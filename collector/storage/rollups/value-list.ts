import type { ByteReader } from './byte-reader.ts';
import type { ByteWriter } from './byte-writer.ts';

/** How many, the smallest, then each as the step from the one before. */
export function writeValues(sorted: ArrayLike<number>, writer: ByteWriter): void {
  writer.varint(sorted.length);
  let before = sorted[0] ?? 0;
  if (sorted.length > 0) writer.folded(before);
  for (let i = 1; i < sorted.length; i++) {
    const value = sorted[i] as number;
    writer.varint(value - before);
    before = value;
  }
}

/** What follows `n`. */
export function readValues(reader: ByteReader, n: number, into: Float64Array): void {
  let value = 0;
  for (let i = 0; i < n; i++) {
    value = i === 0 ? reader.folded() : value + reader.varint();
    into[i] = value;
  }
}

/** In place, by insertion: for a handful of values nothing is faster. */
export function sortFew(values: number[]): number[] {
  for (let i = 1; i < values.length; i++) {
    const value = values[i] as number;
    let place = i;
    for (; place > 0 && (values[place - 1] as number) > value; place--) values[place] = values[place - 1] as number;
    values[place] = value;
  }
  return values;
}
