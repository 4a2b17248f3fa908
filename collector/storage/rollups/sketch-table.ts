import { BucketCounts } from '../../../shared/statistics/bucket-counts.ts';
import { bucketOf, MAX_SKETCH_VALUE } from '../../../shared/statistics/sketch-buckets.ts';
import { addSquareSum, addSquares, type SquareSum } from '../../../shared/statistics/square-sum.ts';
import type { ByteReader, ByteWriter } from '../columns/bytes.ts';
import { BucketRows, writeBucket } from './bucket-rows.ts';

/** Up to here the values themselves take less room than a sketch of them. */
export const MAX_LISTED = 16;
/** What stands in `totals` of each place. */
const [N, SUM, HI, LO, MIN, MAX, TOTALS] = [0, 1, 2, 3, 4, 5, 6];
const START_PLACES = 64;

/**
 * One measure of all cells of a bucket of time while its pack is made, each cell at a place from 0 on: a few values as
 * they are, many as a sketch. What comes out depends on the values alone, not on their order or on how often they were
 * packed in between, so a rebuild is equal byte by byte.
 */
export class SketchTable {
  /** Values that are listed; null once there is a sketch. */
  private readonly lists: (number[] | null | undefined)[] = [];
  private totals = new Float64Array(START_PLACES * TOTALS);
  private readonly positive = new BucketRows();
  /** Of the sizes of values below 0: few have any. */
  private readonly negative = new Map<number, BucketCounts>();

  has(place: number): boolean {
    return this.lists[place] !== undefined;
  }

  /** Adds the first `n` of the values: whole µs, at most 38 hours either way; anything else throws. */
  add(place: number, values: Float64Array, n: number): void {
    const list = this.listOf(place);
    if (list === null || list.length + n > MAX_LISTED) this.addToSketch(place, values, n);
    else for (let i = 0; i < n; i++) list.push(values[i] as number);
  }

  /** Adds what `write` wrote. @throws RangeError for anything else */
  read(place: number, reader: ByteReader): void {
    const n = reader.varint();
    if (n <= MAX_LISTED) {
      readValues(reader, n, few);
      this.add(place, few, n);
    } else this.readSketch(place, reader, n);
  }

  write(place: number, writer: ByteWriter): void {
    const list = this.listOf(place);
    if (list !== null) writeValues(sortFew(list), writer);
    else this.writeSketch(place, writer);
  }

  private listOf(place: number): number[] | null {
    let list = this.lists[place];
    if (list === undefined) {
      list = [];
      this.lists[place] = list;
    }
    return list;
  }

  /** From here on this place has a sketch. */
  private promote(place: number): void {
    const list = this.lists[place];
    if (list === null) return;
    this.lists[place] = null;
    const end = (place + 1) * TOTALS;
    if (end > this.totals.length) {
      const grown = new Float64Array(Math.max(end, 2 * this.totals.length));
      grown.set(this.totals);
      this.totals = grown;
    }
    this.totals[place * TOTALS + MIN] = Number.POSITIVE_INFINITY;
    this.totals[place * TOTALS + MAX] = Number.NEGATIVE_INFINITY;
    const values = Float64Array.from(list ?? []);
    if (values.length > 0) this.addToSketch(place, values, values.length);
  }

  /** One short loop after the other over values that are at hand, so that what is kept is touched once. */
  private addToSketch(place: number, values: Float64Array, n: number): void {
    this.promote(place);
    let sum = 0;
    let min = Number.POSITIVE_INFINITY;
    let max = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < n; i++) {
      const value = values[i] as number;
      if ((value | 0) !== value) checkWide(value);
      sum += value;
      if (value < min) min = value;
      if (value > max) max = value;
    }
    const squares = { hi: 0, lo: 0 };
    addSquares(squares, values, n);
    this.addTotals(place, n, sum, squares, min, max);
    if (min >= 0) this.positive.countAll(place, values, n);
    else {
      for (let i = 0; i < n; i++) {
        const value = values[i] as number;
        if (value < 0) this.below(place).increment(bucketOf(-value), 1);
        else this.positive.increment(place, bucketOf(value), 1);
      }
    }
  }

  /** There is room for the buckets afterwards. */
  private addTotals(place: number, n: number, sum: number, squares: SquareSum, min: number, max: number): void {
    const { totals } = this;
    const base = place * TOTALS;
    addSquareSum(squares, { hi: totals[base + HI] as number, lo: totals[base + LO] as number });
    totals[base + N] = (totals[base + N] as number) + n;
    totals[base + SUM] = (totals[base + SUM] as number) + sum;
    totals[base + HI] = squares.hi;
    totals[base + LO] = squares.lo;
    if (min < (totals[base + MIN] as number)) totals[base + MIN] = min;
    if (max > (totals[base + MAX] as number)) totals[base + MAX] = max;
    if (max >= 0) this.positive.cover(place, bucketOf(Math.max(0, min)), bucketOf(max));
  }

  private below(place: number): BucketCounts {
    const known = this.negative.get(place);
    if (known !== undefined) return known;
    const counts = new BucketCounts();
    this.negative.set(place, counts);
    return counts;
  }

  private writeSketch(place: number, writer: ByteWriter): void {
    const { totals } = this;
    const base = place * TOTALS;
    const min = totals[base + MIN] as number;
    writer.varint(totals[base + N] as number);
    writer.folded(totals[base + SUM] as number);
    writer.varint(totals[base + HI] as number);
    writer.varint(totals[base + LO] as number);
    writer.folded(min);
    writer.varint((totals[base + MAX] as number) - min);
    this.positive.write(place, writer);
    writer.varint(0);
    let last = -1;
    this.negative.get(place)?.forEach((bucket, count) => {
      writeBucket(bucket - last, count, writer);
      last = bucket;
    });
    writer.varint(0);
  }

  private readSketch(place: number, reader: ByteReader, n: number): void {
    this.promote(place);
    const sum = reader.folded();
    const squares = { hi: reader.varint(), lo: reader.varint() };
    const min = reader.folded();
    const max = min + reader.varint();
    checkWide(max);
    this.addTotals(place, n, sum, squares, min, max);
    const counted =
      readBuckets(reader, (bucket, count) => this.positive.increment(place, bucket, count)) +
      readBuckets(reader, (bucket, count) => this.below(place).increment(bucket, count));
    if (counted !== n) throw new RangeError(`A sketch of ${n} values counts ${counted}.`);
  }
}

/** A list on its way. */
const few = new Float64Array(MAX_LISTED);

/** @returns how many values were counted */
export function readBuckets(reader: ByteReader, increment: (bucket: number, count: number) => void): number {
  let bucket = -1;
  let total = 0;
  for (let step = reader.varint(); step !== 0; step = reader.varint()) {
    bucket += step >>> 1;
    const count = (step & 1) === 0 ? 1 : reader.varint();
    increment(bucket, count);
    total += count;
  }
  return total;
}

function checkWide(value: number): void {
  if (!Number.isInteger(value)) throw new RangeError(`A sketch takes whole microseconds, not ${value}.`);
  if (Math.abs(value) > MAX_SKETCH_VALUE) throw new RangeError(`${value} µs is longer than a sketch can hold.`);
}

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
function readValues(reader: ByteReader, n: number, into: Float64Array): void {
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
