/** One unit of `hi`. Squares of values below 2²⁶ µs (67 s) fit into `lo` without a split. */
const UNIT = 2 ** 52;
const HALF = 2 ** 26;

/**
 * An exact sum of squares of integers: three samples of 60 s exceed 2⁵³ µs². Stored as `hi · 2⁵² + lo` with 0 ≤ lo < 2⁵², a
 * form that does not depend on the order of additions and merges. Exact for values up to 2³⁷ (38 h in µs) as long as `hi` is
 * below 2⁵³.
 */
export interface SquareSum {
  hi: number;
  lo: number;
}

export function addSquare(sum: SquareSum, value: number): void {
  if (value < HALF && value > -HALF) {
    sum.lo += value * value;
    carry(sum);
    return;
  }
  // (a·2²⁶ + b)² = a²·2⁵² + 2ab·2²⁶ + b², each part exact.
  const size = Math.abs(value);
  const a = Math.floor(size / HALF);
  const b = size - a * HALF;
  const middle = 2 * a * b;
  const over = Math.floor(middle / HALF);
  sum.hi += a * a + over;
  sum.lo += (middle - over * HALF) * HALF;
  carry(sum);
  sum.lo += b * b;
  carry(sum);
}

/** The squares of the first `n` of the values. */
export function addSquares(sum: SquareSum, values: Float64Array, n: number): void {
  let hi = 0;
  let lo = 0;
  for (let i = 0; i < n; i++) {
    const value = values[i] as number;
    if (value < HALF && value > -HALF) {
      lo += value * value;
      if (lo >= UNIT) {
        lo -= UNIT;
        hi++;
      }
    } else addSquare(sum, value);
  }
  sum.hi += hi;
  sum.lo += lo;
  carry(sum);
}

export function addSquareSum(sum: SquareSum, other: Readonly<SquareSum>): void {
  sum.hi += other.hi;
  sum.lo += other.lo;
  carry(sum);
}

/** The sum of `count` squares of the same integer. */
export function repeatedSquare(value: number, count: number): SquareSum {
  const once = value * value;
  if (once * count < UNIT) return { hi: 0, lo: once * count };
  const all = BigInt(value) * BigInt(value) * BigInt(count);
  return { hi: Number(all >> 52n), lo: Number(BigInt.asUintN(52, all)) };
}

export function squareSumValue(sum: Readonly<SquareSum>): bigint {
  return (BigInt(sum.hi) << 52n) + BigInt(sum.lo);
}

function carry(sum: SquareSum): void {
  if (sum.lo >= UNIT) {
    sum.lo -= UNIT;
    sum.hi += 1;
  }
}
