import { BucketCounts } from '../../../shared/statistics/bucket-counts.ts';
import { checkWide } from '../../../shared/statistics/sketch.ts';
import { toBucket } from '../../../shared/statistics/sketch-buckets.ts';
import { addSquareSum, addSquares, type SquareSum } from '../../../shared/statistics/square-sum.ts';
import type { ByteReader, ByteWriter } from '../columns/bytes.ts';
import { BucketRows, writeBucket } from './bucket-rows.ts';

/** Up to this many values, a list takes less space than a sketch. */
export const MAX_LISTED = 16;
/** Layout of `totals` per index. */
const [N, SUM, HI, LO, MIN, MAX, TOTALS] = [0, 1, 2, 3, 4, 5, 6];
const START_PLACES = 64;

/**
 * One metric of all cells of a bucket while its block is being built, by the cells' indices: few values as a list, many as a
 * sketch. The result depends only on the values, not on their order or on intermediate blocks, so a rebuild is equal byte by
 * byte.
 */
export class SketchTable {
  /** Listed values; null once there is a sketch. */
  private readonly lists: (number[] | null | undefined)[] = [];
  private totals = new Float64Array(START_PLACES * TOTALS);
  private readonly positive = new BucketRows();
  /** Magnitudes of values below 0, which few cells have. */
  private readonly negative = new Map<number, BucketCounts>();

  has(index: number): boolean {
    return this.lists[index] !== undefined;
  }

  /** Adds the first `n` values, whole µs of at most ±38 hours; anything else throws. */
  add(index: number, values: Float64Array, n: number): void {
    const list = this.listOf(index);
    if (list === null || list.length + n > MAX_LISTED) this.addToSketch(index, values, n);
    else for (let i = 0; i < n; i++) list.push(values[i] as number);
  }

  /** Adds the output of `write`. @throws RangeError for anything else */
  read(index: number, reader: ByteReader): void {
    const n = reader.varint();
    if (n <= MAX_LISTED) {
      readValues(reader, n, few);
      this.add(index, few, n);
    } else this.readSketch(index, reader, n);
  }

  write(index: number, writer: ByteWriter): void {
    const list = this.listOf(index);
    if (list !== null) writeValues(sortFew(list), writer);
    else this.writeSketch(index, writer);
  }

  private listOf(index: number): number[] | null {
    let list = this.lists[index];
    if (list === undefined) {
      list = [];
      this.lists[index] = list;
    }
    return list;
  }

  /** Turns the list at this index into a sketch. */
  private promote(index: number): void {
    const list = this.lists[index];
    if (list === null) return;
    this.lists[index] = null;
    const end = (index + 1) * TOTALS;
    if (end > this.totals.length) {
      const grown = new Float64Array(Math.max(end, 2 * this.totals.length));
      grown.set(this.totals);
      this.totals = grown;
    }
    this.totals[index * TOTALS + MIN] = Number.POSITIVE_INFINITY;
    this.totals[index * TOTALS + MAX] = Number.NEGATIVE_INFINITY;
    const values = Float64Array.from(list ?? []);
    if (values.length > 0) this.addToSketch(index, values, values.length);
  }

  /** Several short loops over cached values, so that the sketch is touched only once. */
  private addToSketch(index: number, values: Float64Array, n: number): void {
    this.promote(index);
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
    this.addTotals(index, n, sum, squares, min, max);
    if (min >= 0) this.positive.countAll(index, values, n);
    else {
      for (let i = 0; i < n; i++) {
        const value = values[i] as number;
        if (value < 0) this.below(index).increment(toBucket(-value), 1);
        else this.positive.increment(index, toBucket(value), 1);
      }
    }
  }

  /** Also covers the buckets. */
  private addTotals(index: number, n: number, sum: number, squares: SquareSum, min: number, max: number): void {
    const { totals } = this;
    const base = index * TOTALS;
    addSquareSum(squares, { hi: totals[base + HI] as number, lo: totals[base + LO] as number });
    totals[base + N] = (totals[base + N] as number) + n;
    totals[base + SUM] = (totals[base + SUM] as number) + sum;
    totals[base + HI] = squares.hi;
    totals[base + LO] = squares.lo;
    if (min < (totals[base + MIN] as number)) totals[base + MIN] = min;
    if (max > (totals[base + MAX] as number)) totals[base + MAX] = max;
    if (max >= 0) this.positive.cover(index, toBucket(Math.max(0, min)), toBucket(max));
  }

  private below(index: number): BucketCounts {
    const known = this.negative.get(index);
    if (known !== undefined) return known;
    const counts = new BucketCounts();
    this.negative.set(index, counts);
    return counts;
  }

  private writeSketch(index: number, writer: ByteWriter): void {
    const { totals } = this;
    const base = index * TOTALS;
    const min = totals[base + MIN] as number;
    writer.varint(totals[base + N] as number);
    writer.folded(totals[base + SUM] as number);
    writer.varint(totals[base + HI] as number);
    writer.varint(totals[base + LO] as number);
    writer.folded(min);
    writer.varint((totals[base + MAX] as number) - min);
    this.positive.write(index, writer);
    writer.varint(0);
    let last = -1;
    this.negative.get(index)?.forEach((bucket, count) => {
      writeBucket(bucket - last, count, writer);
      last = bucket;
    });
    writer.varint(0);
  }

  private readSketch(index: number, reader: ByteReader, n: number): void {
    this.promote(index);
    const sum = reader.folded();
    const squares = { hi: reader.varint(), lo: reader.varint() };
    const min = reader.folded();
    const max = min + reader.varint();
    checkWide(max);
    this.addTotals(index, n, sum, squares, min, max);
    const counted =
      readBuckets(reader, (bucket, count) => this.positive.increment(index, bucket, count)) +
      readBuckets(reader, (bucket, count) => this.below(index).increment(bucket, count));
    if (counted !== n) throw new RangeError(`A sketch of ${n} values counts ${counted}.`);
  }
}

/** Reused for reading lists. */
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

/** The number of values, the smallest, then each as the step from the previous one. */
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

/** Reads everything after the number of values. */
function readValues(reader: ByteReader, n: number, into: Float64Array): void {
  let value = 0;
  for (let i = 0; i < n; i++) {
    value = i === 0 ? reader.folded() : value + reader.varint();
    into[i] = value;
  }
}

/** Insertion sort in place, which is fastest for a handful of values. */
export function sortFew(values: number[]): number[] {
  for (let i = 1; i < values.length; i++) {
    const value = values[i] as number;
    let index = i;
    for (; index > 0 && (values[index - 1] as number) > value; index--) values[index] = values[index - 1] as number;
    values[index] = value;
  }
  return values;
}
