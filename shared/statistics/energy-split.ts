export interface Split {
  /** Index of the first value after the split. */
  readonly at: number;
  /** Energy distance of both sides, scaled by their sizes and summed over the classes. */
  readonly distance: number;
}

/**
 * Where the two sides of a series differ most: the statistic of E-divisive. D. S. Matteson and N. A. James, A Nonparametric
 * Approach for Multiple Change Point Analysis of Multivariate Data (2014), with α = 1.
 *
 * @param classes of the values, from 0: only values of one class are compared with each other
 * @param minimum values on either side
 * @returns null if the series is too short
 */
export function energySplit(values: Float64Array, classes: Uint8Array, minimum: number): Split | null {
  const n = values.length;
  const sides = sidesOf(values, classes);
  let at = 0;
  let distance = Number.NEGATIVE_INFINITY;
  for (let i = 0; i + minimum < n; i++) {
    moveToLeft(sides, values, classes, i);
    if (i + 1 < minimum) continue;
    let sum = 0;
    for (const side of sides) sum += distanceOf(side);
    // Equal but for rounding: the earlier one stays.
    if (sum <= distance + 1e-12) continue;
    at = i + 1;
    distance = sum;
  }
  return at === 0 ? null : { at, distance };
}

/** The values of one class on both sides of a split: how many, and the sums of distances between their pairs. */
interface Sides {
  left: number;
  right: number;
  withinLeft: number;
  withinRight: number;
  across: number;
}

/** All values are on the right. */
function sidesOf(values: Float64Array, classes: Uint8Array): Sides[] {
  const sides: Sides[] = [];
  for (let i = 0; i < values.length; i++) {
    const name = classes[i] as number;
    while (sides.length <= name) sides.push({ left: 0, right: 0, withinLeft: 0, withinRight: 0, across: 0 });
    const own = sides[name] as Sides;
    own.right++;
    own.withinRight += distanceTo(values, classes, i, 0, i);
  }
  return sides;
}

function moveToLeft(sides: readonly Sides[], values: Float64Array, classes: Uint8Array, i: number): void {
  const own = sides[classes[i] as number] as Sides;
  const toLeft = distanceTo(values, classes, i, 0, i);
  const toRight = distanceTo(values, classes, i, i + 1, values.length);
  own.left++;
  own.right--;
  own.withinLeft += toLeft;
  own.withinRight -= toRight;
  own.across += toRight - toLeft;
}

/** Sum of the distances of value `i` to those of its class from `start` to before `end`. */
function distanceTo(values: Float64Array, classes: Uint8Array, i: number, start: number, end: number): number {
  const value = values[i] as number;
  const name = classes[i];
  let sum = 0;
  for (let j = start; j < end; j++) if (classes[j] === name) sum += Math.abs(value - (values[j] as number));
  return sum;
}

/** With a value compared with itself too (a V-statistic), a side may have only one value of a class. */
function distanceOf({ left: n, right: m, withinLeft, withinRight, across }: Sides): number {
  if (n === 0 || m === 0) return 0;
  return ((n * m) / (n + m)) * 2 * (across / (n * m) - withinLeft / n ** 2 - withinRight / m ** 2);
}
