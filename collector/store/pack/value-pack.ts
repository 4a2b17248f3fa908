import type { BucketCounts } from '../../../shared/statistics/bucket-counts.ts';
import type { Sketch } from '../../../shared/statistics/sketch.ts';
import type { ByteReader } from './byte-reader.ts';
import type { ByteWriter } from './byte-writer.ts';
import { type CellValues, MAX_LISTED } from './cell-values.ts';
import { encodeFrame, visitFrame } from './pack-frame.ts';

/** Few values listed, many as a sketch. */
const SKETCHED = 1;
/** All values listed: exact at any size. */
const LISTED = 2;

export function encodeSketchPack(cells: Iterable<readonly [number, CellValues]>): Uint8Array {
  return encodeFrame(SKETCHED, cells, ({ values, sketch }, writer) => {
    if (sketch !== null) writeSketch(sketch, writer);
    else writeValues(sortFew(values ?? []), writer);
  });
}

export function encodeExactPack(cells: Iterable<readonly [number, readonly number[]]>): Uint8Array {
  return encodeFrame(LISTED, cells, (values, writer) =>
    writeValues(values.length <= MAX_LISTED ? sortFew([...values]) : Float64Array.from(values).sort(), writer),
  );
}

/** Takes the cells of a pack into cells that are being made. */
export function mergeIntoCells(pack: Uint8Array, cellAt: (cell: number) => CellValues): void {
  visitFrame(
    pack,
    [SKETCHED, LISTED],
    () => true,
    (id, reader) => {
      const cell = cellAt(id);
      const n = reader.varint();
      if (n > MAX_LISTED) readSketch(reader, n, cell.asSketch());
      else readValues(reader, n, (value) => cell.add(value));
    },
  );
}

/** Where a query collects: the sketches of its groups, and which group a cell belongs to, −1 for none. */
export interface SketchGroups {
  groupOf(cell: number): number;
  readonly sketches: readonly Sketch[];
}

/** Adds a pack of sketches straight into the groups of a query; no cell becomes an object. */
export function mergeIntoSketches(pack: Uint8Array, { groupOf, sketches }: SketchGroups): void {
  visitFrame(
    pack,
    [SKETCHED],
    (cell) => groupOf(cell) >= 0,
    (cell, reader) => {
      const sketch = sketches[groupOf(cell)] as Sketch;
      const n = reader.varint();
      if (n > MAX_LISTED) readSketch(reader, n, sketch);
      else {
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

/** Where an exact query collects. */
export interface ValueGroups {
  groupOf(cell: number): number;
  /** Room for `n` more values of a group: they are written from `length` on, and `length` is raised. */
  room(group: number, n: number): GrowingValues;
}

export interface GrowingValues {
  values: Float64Array;
  length: number;
}

export function visitExactPack(pack: Uint8Array, { groupOf, room }: ValueGroups): void {
  visitFrame(
    pack,
    [LISTED],
    (cell) => groupOf(cell) >= 0,
    (cell, reader) => {
      const n = reader.varint();
      if (n === 0) return;
      const list = room(groupOf(cell), n);
      const { values } = list;
      let at = list.length;
      let value = reader.folded();
      values[at++] = value;
      for (let left = n - 1; left > 0; left--) {
        value += reader.varint();
        values[at++] = value;
      }
      list.length = at;
    },
  );
}

/** In place, by insertion: for a handful of values nothing is faster. */
function sortFew(values: number[]): number[] {
  for (let i = 1; i < values.length; i++) {
    const value = values[i] as number;
    let place = i;
    for (; place > 0 && (values[place - 1] as number) > value; place--) values[place] = values[place - 1] as number;
    values[place] = value;
  }
  return values;
}

function writeValues(sorted: ArrayLike<number>, writer: ByteWriter): void {
  writer.varint(sorted.length);
  let before = sorted[0] ?? 0;
  if (sorted.length > 0) writer.folded(before);
  for (let i = 1; i < sorted.length; i++) {
    const value = sorted[i] as number;
    writer.varint(value - before);
    before = value;
  }
}

function readValues(reader: ByteReader, n: number, add: (value: number) => void): void {
  if (n === 0) return;
  let value = reader.folded();
  add(value);
  for (let left = n - 1; left > 0; left--) {
    value += reader.varint();
    add(value);
  }
}

function writeSketch(sketch: Sketch, writer: ByteWriter): void {
  writer.varint(sketch.n);
  writer.folded(sketch.sum);
  writer.varint(sketch.squares.hi);
  writer.varint(sketch.squares.lo);
  writer.folded(sketch.min);
  writer.varint(sketch.max - sketch.min);
  writeBuckets(sketch.positive, writer);
  writer.varint(0);
  writeBuckets(sketch.negative, writer);
  writer.varint(0);
}

/** Each bucket is twice the step from the one before, odd where more than one value is in it; then its count. */
function writeBuckets(counts: BucketCounts, writer: ByteWriter): void {
  let last = -1;
  counts.forEach((bucket, count) => {
    writer.varint(2 * (bucket - last) + (count === 1 ? 0 : 1));
    if (count !== 1) writer.varint(count);
    last = bucket;
  });
}

/** Adds what was written to a sketch that may hold something already. */
function readSketch(reader: ByteReader, n: number, into: Sketch): void {
  into.n += n;
  into.sum += reader.folded();
  into.squares.hi += reader.varint();
  into.squares.lo += reader.varint();
  if (into.squares.lo >= 2 ** 52) {
    into.squares.lo -= 2 ** 52;
    into.squares.hi += 1;
  }
  const min = reader.folded();
  const max = min + reader.varint();
  if (min < into.min) into.min = min;
  if (max > into.max) into.max = max;
  const counted = readBuckets(reader, into.positive) + readBuckets(reader, into.negative);
  if (counted !== n) throw new RangeError(`A sketch of ${n} values counts ${counted}.`);
}

function readBuckets(reader: ByteReader, into: BucketCounts): number {
  let bucket = -1;
  let total = 0;
  for (let step = reader.varint(); step !== 0; step = reader.varint()) {
    bucket += step >>> 1;
    const count = (step & 1) === 0 ? 1 : reader.varint();
    into.increment(bucket, count);
    total += count;
  }
  return total;
}
