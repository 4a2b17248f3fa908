import type { Sketch } from '../../../shared/statistics/sketch.ts';
import type { SquareSum } from '../../../shared/statistics/square-sum.ts';
import type { ByteReader } from '../columns/bytes.ts';
import { writeBucket } from './bucket-rows.ts';
import { encodeFrame, visitFrame } from './count-block.ts';
import { type IntegerList, isNarrow, type ListPart } from './integer-list.ts';
import { MAX_LISTED, readBuckets, type SketchTable, sortFew, writeValues } from './sketch-table.ts';

/** Bytes from this value on are followed by more bytes of the same number. */
const LOW_BITS = 128;
/** Few values listed, many as a sketch. */
const SKETCHED = 1;
/** All values listed, exact at any number. */
const LISTED = 2;
/** As a sketch however few: an engine that sums buckets itself knows no single values. */
const SUMMED = 4;

/** @param cells each cell's id and its index in the table */
export function encodeSketchBlock(table: SketchTable, cells: Iterable<readonly [number, number]>): Uint8Array {
  return encodeFrame(SKETCHED, cells, (index, writer) => table.write(index, writer));
}

export function encodeExactBlock(cells: Iterable<readonly [number, readonly number[]]>): Uint8Array {
  return encodeFrame(LISTED, cells, (values, writer) =>
    writeValues(values.length <= MAX_LISTED ? sortFew([...values]) : Float64Array.from(values).sort(), writer),
  );
}

/** Values of one cell, ascending, each once, with how often it occurs. */
export interface CountedValues {
  readonly values: ArrayLike<number>;
  readonly times: ArrayLike<number>;
}

/** The same block as `encodeExactBlock`, of values that an engine has counted. */
export function encodeCountedBlock(cells: Iterable<readonly [number, CountedValues]>): Uint8Array {
  return encodeFrame(LISTED, cells, ({ values, times }, writer) => {
    let n = 0;
    for (let index = 0; index < times.length; index++) n += times[index] as number;
    writer.varint(n);
    let before = values[0] ?? 0;
    if (n > 0) writer.folded(before);
    for (let index = 0; index < values.length; index++) {
      const value = values[index] as number;
      if (index > 0) writer.varint(value - before);
      for (let left = (times[index] as number) - 1; left > 0; left--) writer.varint(0);
      before = value;
    }
  });
}

/** The sketch of one cell as an engine has summed it. */
export interface SummedSketch {
  readonly n: number;
  readonly sum: number;
  readonly squares: SquareSum;
  readonly min: number;
  readonly max: number;
  /** In any order; below 0 for −1 − the bucket of the absolute value of negative ones. */
  readonly buckets: ArrayLike<number>;
  readonly counts: ArrayLike<number>;
}

export function encodeSummedBlock(cells: Iterable<readonly [number, SummedSketch]>): Uint8Array {
  return encodeFrame(SUMMED, cells, ({ n, sum, squares, min, max, buckets, counts }, writer) => {
    writer.varint(n);
    writer.folded(sum);
    writer.varint(squares.hi);
    writer.varint(squares.lo);
    writer.folded(min);
    writer.varint(max - min);
    const ascending = Array.from({ length: buckets.length }, (_, index) => index).sort(
      (one, other) => (buckets[one] as number) - (buckets[other] as number),
    );
    const negative = ascending.filter((index) => (buckets[index] as number) < 0).reverse();
    for (const [own, bucketOf] of [
      [ascending.slice(negative.length), (bucket: number) => bucket],
      [negative, (bucket: number) => -1 - bucket],
    ] as const) {
      let last = -1;
      for (const index of own) {
        const bucket = bucketOf(buckets[index] as number);
        writeBucket(bucket - last, counts[index] as number, writer);
        last = bucket;
      }
      writer.varint(0);
    }
  });
}

/** Only the number of each cell's values, for `visitValueCounts`. */
export function encodeNumbersBlock(cells: Iterable<readonly [number, number]>): Uint8Array {
  return encodeFrame(SUMMED, cells, (n, writer) => writer.varint(n));
}

/** Merges the cells of a block into a table. @param indexOf the index of a cell, assigned if it is new */
export function mergeIntoTable(block: Uint8Array, table: SketchTable, placeOf: (cell: number) => number): void {
  visitFrame(
    block,
    [SKETCHED],
    () => true,
    (cell, reader) => table.read(placeOf(cell), reader),
  );
}

/** The sketches of a query's groups, and the group of each cell, −1 for none. */
export interface SketchGroups {
  groupOf(cell: number): number;
  sketchOf(group: number): Sketch;
}

/**
 * Adds a block of sketches directly to the groups of a query, without an object per cell. A month of days has a million
 * buckets, and this loop determines how long a question takes.
 */
export function mergeIntoSketches(block: Uint8Array, { groupOf, sketchOf }: SketchGroups): void {
  const maxListed = block[0] === SUMMED ? 0 : MAX_LISTED;
  visitFrame(
    block,
    [SKETCHED, SUMMED],
    (cell) => groupOf(cell) >= 0,
    (cell, reader) => {
      const sketch = sketchOf(groupOf(cell));
      const n = reader.varint();
      if (n > maxListed) addSketch(reader, n, sketch);
      else if (n > 0) {
        let value = reader.folded();
        sketch.add(value);
        for (let left = n - 1; left > 0; left--) {
          value += reader.varint();
          sketch.add(value);
        }
      }
    },
  );
}

function addSketch(reader: ByteReader, n: number, into: Sketch): void {
  const sum = reader.folded();
  const hi = reader.varint();
  const lo = reader.varint();
  const min = reader.folded();
  into.addTotals(n, sum, hi, lo, min, min + reader.varint());
  const { counts, first } = into;
  // Two loops, so that the common one stays monomorphic.
  const counted = counts instanceof Int32Array ? addNarrow(reader, counts, first) : addWide(reader, counts, first);
  const hasBelow = reader.bytes[reader.at] !== 0;
  const below = hasBelow
    ? readBuckets(reader, (bucket, count) => into.below().increment(bucket, count))
    : reader.varint();
  if (counted + below !== n) throw new RangeError(`A sketch of ${n} values counts ${counted + below}.`);
}

/**
 * For up to 2³¹ values. Steps and counts nearly always have one byte each; whether a count follows is random, so it is
 * computed branch-free: a mispredicted branch would take as long as everything else.
 */
function addNarrow(reader: ByteReader, counts: Int32Array, first: number): number {
  const { bytes } = reader;
  let at = reader.at;
  let bucket = -1 - first;
  let short = 0;
  let long = 0;
  // Reading past the end gives undefined, which becomes a step of 0.
  for (;;) {
    const step = (bytes[at] as number) | 0;
    if (step === 0) break;
    const counted = step & 1;
    const low = (bytes[at + 1] as number) & -counted;
    let count = (low + 1 - counted) | 0;
    if ((step | low) < LOW_BITS) {
      at = (at + 1 + counted) | 0;
      bucket = (bucket + (step >>> 1)) | 0;
      short = (short + count) | 0;
    } else {
      reader.at = at;
      const wide = reader.varint();
      count = (wide & 1) === 0 ? 1 : reader.varint();
      at = reader.at;
      bucket = (bucket + (wide >>> 1)) | 0;
      long += count;
    }
    if (bucket < 0 || bucket >= counts.length) throw outside();
    counts[bucket] = ((counts[bucket] as number) + count) | 0;
  }
  reader.at = at + 1;
  return short + long;
}

function addWide(reader: ByteReader, counts: Float64Array, first: number): number {
  let bucket = -1 - first;
  let counted = 0;
  for (let step = reader.varint(); step !== 0; step = reader.varint()) {
    bucket += step >>> 1;
    const count = (step & 1) === 0 ? 1 : reader.varint();
    if (bucket < 0 || bucket >= counts.length) throw outside();
    counts[bucket] = (counts[bucket] as number) + count;
    counted += count;
  }
  return counted;
}

function outside(): RangeError {
  return new RangeError('A sketch has a bucket outside its range.');
}

/** The number of values of each wanted cell, in blocks of either kind, without reading the values. */
export function visitValueCounts(
  block: Uint8Array,
  wants: (cell: number) => boolean,
  visit: (cell: number, n: number) => void,
): void {
  visitFrame(block, [SKETCHED, LISTED, SUMMED], wants, (cell, reader, end) => {
    visit(cell, reader.varint());
    reader.at = end;
  });
}

/** The values of an exact query's groups. */
export interface ValueGroups {
  groupOf(cell: number): number;
  valuesOf(group: number): IntegerList;
}

export function visitExactBlock(block: Uint8Array, { groupOf, valuesOf }: ValueGroups): void {
  visitFrame(
    block,
    [LISTED],
    (cell) => groupOf(cell) >= 0,
    (cell, reader) => {
      const n = reader.varint();
      if (n === 0) return;
      const list = valuesOf(groupOf(cell));
      const least = reader.folded();
      const start = reader.at;
      let part = list.reserve(n, isNarrow(least));
      const largest = appendAscending(reader, least, n, part);
      if (!isNarrow(largest) && part.values instanceof Int32Array) {
        part = list.reserve(n, false);
        reader.at = start;
        appendAscending(reader, least, n, part);
      }
      part.length += n;
      list.length += n;
    },
  );
}

/** Appends to the part and returns the largest value. */
function appendAscending(reader: ByteReader, least: number, n: number, { values, length }: ListPart): number {
  let value = least;
  values[length] = value;
  const { bytes } = reader;
  let at = reader.at;
  const end = length + n;
  for (let index = length + 1; index < end; index++) {
    let step = bytes[at++] as number;
    if (step >= LOW_BITS) {
      const next = bytes[at++] as number;
      step = (step & 127) | ((next & 127) << 7);
      if (next >= LOW_BITS) {
        reader.at = at - 2;
        step = reader.varint();
        at = reader.at;
      }
    }
    value += step;
    values[index] = value;
  }
  // Reading past the end added nothing, or NaN.
  if (at > bytes.length) throw new RangeError('The bytes end inside a list.');
  reader.at = at;
  return value;
}
