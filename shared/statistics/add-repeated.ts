import type { Sketch } from './sketch.ts';
import { bucketOf } from './sketch-buckets.ts';
import { addSquareSum } from './square-sum.ts';

const LOW_BITS = 52n;

/** Adds the same value `count` times at the cost of one. */
export function addRepeated(sketch: Sketch, value: number, count: number): void {
  if (count === 0) return;
  // With min, max and range checked by an ordinary addition, only the others are left.
  sketch.add(value);
  const more = count - 1;
  sketch.n += more;
  sketch.sum += value * more;
  const squares = BigInt(value) * BigInt(value) * BigInt(more);
  addSquareSum(sketch.squares, { hi: Number(squares >> LOW_BITS), lo: Number(BigInt.asUintN(52, squares)) });
  const counts = value >= 0 ? sketch.positive : sketch.negative;
  if (more > 0) counts.increment(bucketOf(Math.abs(value)), more);
}
