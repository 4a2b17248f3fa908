import type { ByteReader } from '../columns/bytes.ts';
import { encodeFrame, visitFrame } from './count-block.ts';
import type { GroupSketch } from './group-sketch.ts';
import { type IntegerList, isNarrow, type ListPart } from './integer-list.ts';
import { MAX_LISTED, readBuckets, type SketchTable, sortFew, writeValues } from './sketch-table.ts';

/** From here on a byte says that the number goes on. */
const LOW_BITS = 128;
/** Few values listed, many as a sketch. */
const SKETCHED = 1;
/** All values listed: exact at any size. */
const LISTED = 2;

/** @param cells each cell's id and its place in the table */
export function encodeSketchBlock(table: SketchTable, cells: Iterable<readonly [number, number]>): Uint8Array {
  return encodeFrame(SKETCHED, cells, (place, writer) => table.write(place, writer));
}

export function encodeExactBlock(cells: Iterable<readonly [number, readonly number[]]>): Uint8Array {
  return encodeFrame(LISTED, cells, (values, writer) =>
    writeValues(values.length <= MAX_LISTED ? sortFew([...values]) : Float64Array.from(values).sort(), writer),
  );
}

/** Adds the cells of a pack to those that are being made. @param placeOf of a cell in the table, given out if need be */
export function mergeIntoTable(block: Uint8Array, table: SketchTable, placeOf: (cell: number) => number): void {
  visitFrame(
    block,
    [SKETCHED],
    () => true,
    (cell, reader) => table.read(placeOf(cell), reader),
  );
}

/** Where a query collects: the sketch of each of its groups, and which group a cell belongs to, −1 for none. */
export interface SketchGroups {
  groupOf(cell: number): number;
  sketchOf(group: number): GroupSketch;
}

/**
 * Adds a pack of sketches straight into the groups of a query; no cell becomes an object. One loop with its place in a
 * local variable: a month of days is a million buckets, and this is what a question waits for.
 */
export function mergeIntoSketches(block: Uint8Array, { groupOf, sketchOf }: SketchGroups): void {
  visitFrame(
    block,
    [SKETCHED],
    (cell) => groupOf(cell) >= 0,
    (cell, reader) => {
      const sketch = sketchOf(groupOf(cell));
      const n = reader.varint();
      if (n > MAX_LISTED) addSketch(reader, n, sketch);
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

function addSketch(reader: ByteReader, n: number, into: GroupSketch): void {
  const sum = reader.folded();
  const hi = reader.varint();
  const lo = reader.varint();
  const min = reader.folded();
  into.addTotals(n, sum, hi, lo, min, min + reader.varint());
  const { counts, first } = into;
  // Two loops, so that the one that always runs sees one kind of array.
  const counted = counts instanceof Int32Array ? addNarrow(reader, counts, first) : addWide(reader, counts, first);
  const hasBelow = reader.bytes[reader.at] !== 0;
  const below = hasBelow
    ? readBuckets(reader, (bucket, count) => into.below().increment(bucket, count))
    : reader.varint();
  if (counted + below !== n) throw new RangeError(`A sketch of ${n} values counts ${counted + below}.`);
}

/**
 * Up to 2³¹ values. A step and its count have a byte each nearly always; whether there is a count is as good as drawn by
 * lot, so it is reckoned with: a branch that nobody can foresee would take as long as all the rest.
 */
function addNarrow(reader: ByteReader, counts: Int32Array, first: number): number {
  const { bytes } = reader;
  let at = reader.at;
  let bucket = -1 - first;
  let short = 0;
  let long = 0;
  // Behind the end of the bytes there is nothing, which is read as a step of 0.
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
  return new RangeError('A sketch has a bucket outside of its values.');
}

/** How many values each wanted cell has, of packs of either kind: the values are passed over. */
export function visitValueCounts(
  block: Uint8Array,
  wants: (cell: number) => boolean,
  visit: (cell: number, n: number) => void,
): void {
  visitFrame(block, [SKETCHED, LISTED], wants, (cell, reader, end) => {
    visit(cell, reader.varint());
    reader.at = end;
  });
}

/** Where an exact query collects: the values of each of its groups. */
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

/** Writes behind what the block holds already and returns the largest; one loop, its place in a local variable. */
function appendAscending(reader: ByteReader, least: number, n: number, { values, length }: ListPart): number {
  let value = least;
  values[length] = value;
  const { bytes } = reader;
  let at = reader.at;
  const end = length + n;
  for (let place = length + 1; place < end; place++) {
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
    values[place] = value;
  }
  // What lies behind the end is no number: nothing was added then, or NaN.
  if (at > bytes.length) throw new RangeError('The bytes end inside of a list.');
  reader.at = at;
  return value;
}
