import type { BucketCounts } from './bucket-counts.ts';
import { Sketch } from './sketch.ts';
import { BUCKET_COUNT, MAX_SKETCH_VALUE } from './sketch-buckets.ts';
import { packIntegers, unpackIntegers } from './varint.ts';

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
  return sketch;
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
    const count = step % 2 === 0 ? 1 : integers[at++];
    bucket += Math.floor(step / 2);
    if (step < 0 || bucket >= BUCKET_COUNT || count === undefined || count < 1) throw damaged('a bucket');
    counts.increment(bucket, count);
    total += count;
  }
  return [total, at];
}

function damaged(what: string): RangeError {
  return new RangeError(`This is not a sketch (${what}): restore the store from a backup.`);
}
