import type { BucketCounts } from '../../../shared/statistics/bucket-counts.ts';
import { Sketch } from '../../../shared/statistics/sketch.ts';

/** A sketch without its methods, as it goes from one thread to another. */
export interface PlainSketch {
  readonly n: number;
  readonly sum: number;
  readonly min: number;
  readonly max: number;
  readonly hi: number;
  readonly lo: number;
  /** Pairs of a bucket and its count. */
  readonly positive: Float64Array;
  readonly negative: Float64Array;
}

export function toPlainSketch({ n, sum, min, max, squares, positive, negative }: Sketch): PlainSketch {
  return { n, sum, min, max, ...squares, positive: pairsOf(positive), negative: pairsOf(negative) };
}

export function fromPlainSketch({ n, sum, min, max, hi, lo, positive, negative }: PlainSketch): Sketch {
  const sketch = new Sketch();
  Object.assign(sketch, { n, sum, min, max });
  Object.assign(sketch.squares, { hi, lo });
  addPairs(sketch.positive, positive);
  addPairs(sketch.negative, negative);
  return sketch;
}

function pairsOf(counts: BucketCounts): Float64Array {
  let occupied = 0;
  counts.forEach(() => {
    occupied++;
  });
  const pairs = new Float64Array(2 * occupied);
  let next = 0;
  counts.forEach((bucket, count) => {
    pairs[next++] = bucket;
    pairs[next++] = count;
  });
  return pairs;
}

function addPairs(counts: BucketCounts, pairs: Float64Array): void {
  // The ends first: room for all is made at once.
  const last = pairs.length - 2;
  if (last > 0) counts.increment(pairs[last] as number, 0);
  for (let i = 0; i < pairs.length; i += 2) counts.increment(pairs[i] as number, pairs[i + 1] as number);
}
