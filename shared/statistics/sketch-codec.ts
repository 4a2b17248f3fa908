import type { BucketCounts } from './bucket-counts.ts';
import { Sketch } from './sketch.ts';
import { BUCKET_COUNT, bucketOf, bucketStart, MAX_SKETCH_VALUE } from './sketch-buckets.ts';
import { packIntegers, unpackIntegers } from './varint.ts';

/** Large sums of squares are compared as rounded doubles. */
const ROUNDING = 1e-9;

/**
 * A sketch as whole numbers: n, sum, hi and lo of the sum of squares, min, max, then the occupied buckets from 0 up and
 * after a 0 those of negative values. Each bucket is one number, twice the step from the bucket before (the first from
 * −1), odd where more than one value is in it; then its count follows. Empty: `[0]`.
 */
export function sketchToIntegers(sketch: Sketch): number[] {
  if (sketch.n === 0) return [0];
  const { n, sum, squares, min, max } = sketch;
  const integers = [n, sum, squares.hi, squares.lo, min, max];
  appendBuckets(integers, sketch.positive);
  integers.push(0);
  appendBuckets(integers, sketch.negative);
  return integers;
}

/** @throws RangeError where the numbers are not a sketch: a damaged pack must not become a plausible answer */
export function sketchFromIntegers(integers: readonly number[]): Sketch {
  const sketch = new Sketch();
  const [n, sum, hi, lo, min, max] = integers;
  if (n === 0 && integers.length === 1) return sketch;
  if (n === undefined || sum === undefined || hi === undefined || lo === undefined) throw damaged('too short');
  if (min === undefined || max === undefined) throw damaged('too short');
  if (!integers.every(Number.isSafeInteger)) throw damaged('a number that is not whole');
  if (min > max || Math.max(Math.abs(min), Math.abs(max)) > MAX_SKETCH_VALUE) throw damaged('min and max');
  Object.assign(sketch, { n, sum, min, max });
  Object.assign(sketch.squares, { hi, lo });
  const split = integers.length;
  const [counted, at] = readBuckets(integers, 6, sketch.positive);
  const [mirrored, end] = readBuckets(integers, at, sketch.negative);
  if (counted + mirrored !== n || end < split) throw damaged('the counts do not add up');
  checkSums(sketch);
  return sketch;
}

/** What the buckets allow: a flipped bit must not become a plausible mean, range or deviation. */
function checkSums({ n, sum, squares: { hi, lo }, min, max, positive, negative }: Sketch): void {
  if (hi < 0 || lo < 0 || lo >= 2 ** 52) throw damaged('the sum of squares');
  let [first, last] = [Number.NaN, Number.NaN];
  const sums: [number, number] = [0, 0];
  const ofSquares: [number, number] = [0, 0];
  const visit = (bucket: number, count: number, sign: number) => {
    const start = bucketStart(bucket);
    const end = bucketStart(bucket + 1) - 1;
    sums[0] += count * (sign > 0 ? start : -end);
    sums[1] += count * (sign > 0 ? end : -start);
    ofSquares[0] += count * start * start;
    ofSquares[1] += count * end * end;
  };
  negative.forEach((bucket, count) => {
    if (bucket === 0) throw damaged('a mirrored 0');
    visit(bucket, count, -1);
    first = -bucket;
    if (Number.isNaN(last)) last = -bucket;
  });
  positive.forEach((bucket, count) => {
    visit(bucket, count, 1);
    if (Number.isNaN(first)) first = bucket;
    last = bucket;
  });
  if (signedBucket(min) !== first || signedBucket(max) !== last) throw damaged('min and max');
  const squares = hi * 2 ** 52 + lo;
  if (!isWithin(sum, sums) || !isWithin(squares, ofSquares)) throw damaged('the sums');
  if (n * squares < sum * sum * (1 - ROUNDING)) throw damaged('the sum of squares');
}

function signedBucket(value: number): number {
  return value < 0 ? -bucketOf(-value) : bucketOf(value);
}

function isWithin(value: number, [from, to]: readonly [number, number]): boolean {
  const slack = ROUNDING * Math.max(Math.abs(from), Math.abs(to));
  return value >= from - slack && value <= to + slack;
}

export function encodeSketch(sketch: Sketch): Uint8Array {
  return packIntegers(sketchToIntegers(sketch));
}

export function decodeSketch(bytes: Uint8Array): Sketch {
  return sketchFromIntegers(unpackIntegers(bytes));
}

function appendBuckets(integers: number[], counts: BucketCounts): void {
  let last = -1;
  counts.forEach((bucket, count) => {
    const step = 2 * (bucket - last);
    last = bucket;
    if (count === 1) integers.push(step);
    else integers.push(step + 1, count);
  });
}

/** @returns how many values were read, and where reading goes on */
function readBuckets(integers: readonly number[], from: number, counts: BucketCounts): [number, number] {
  let total = 0;
  let bucket = -1;
  let at = from;
  while (at < integers.length) {
    const step = integers[at++] as number;
    if (step === 0) break;
    const single = step % 2 === 0;
    const count = single ? 1 : integers[at++];
    bucket += Math.floor(step / 2);
    if (step < 2 || bucket >= BUCKET_COUNT || count === undefined) throw damaged('a bucket');
    if (!single && count < 2) throw damaged('a count');
    counts.increment(bucket, count);
    total += count;
  }
  return [total, at];
}

function damaged(what: string): RangeError {
  return new RangeError(`This is not a sketch (${what}): restore the store from a backup.`);
}
