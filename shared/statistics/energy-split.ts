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
  const distances = splitDistances(values, classes);
  let at = 0;
  let distance = Number.NEGATIVE_INFINITY;
  for (let split = minimum; split <= n - minimum; split++) {
    const sum = distances[split] as number;
    // Equal but for rounding: the earlier one stays.
    if (sum <= distance + 1e-12) continue;
    at = split;
    distance = sum;
  }
  return at === 0 ? null : { at, distance };
}

/** Of each split, by the index of the first value after it. */
function splitDistances(values: Float64Array, classes: Uint8Array): Float64Array {
  const n = values.length;
  const distances = new Float64Array(n + 1);
  const places = new Uint32Array(n);
  const own = new Float64Array(n);
  // Sums of a value's distances to the earlier and to the later ones of its class.
  const earlier = new Float64Array(n);
  const later = new Float64Array(n);
  let rest = n;
  for (let name = 0; rest > 0; name++) {
    let size = 0;
    for (let i = 0; i < n; i++) {
      if (classes[i] !== name) continue;
      places[size] = i;
      own[size++] = values[i] as number;
    }
    rest -= size;
    // Each pair once: this runs for every permutation of every series.
    let within = 0;
    for (let i = 0; i < size; i++) {
      const value = own[i] as number;
      let sum = 0;
      for (let j = 0; j < i; j++) {
        const distance = Math.abs(value - (own[j] as number));
        sum += distance;
        later[j] = (later[j] as number) + distance;
      }
      earlier[i] = sum;
      later[i] = 0;
      within += sum;
    }
    const side = { left: 0, right: size, withinLeft: 0, withinRight: within, across: 0 };
    for (let i = 0; i < size; i++) {
      const [toLeft, toRight] = [earlier[i] as number, later[i] as number];
      side.left++;
      side.right--;
      side.withinLeft += toLeft;
      side.withinRight -= toRight;
      side.across += toRight - toLeft;
      const end = i + 1 < size ? (places[i + 1] as number) : n;
      const distance = distanceOf(side);
      for (let split = (places[i] as number) + 1; split <= end; split++) {
        distances[split] = (distances[split] as number) + distance;
      }
    }
  }
  return distances;
}

/** The values of one class on both sides of a split: how many, and the sums of distances between their pairs. */
interface Sides {
  readonly left: number;
  readonly right: number;
  readonly withinLeft: number;
  readonly withinRight: number;
  readonly across: number;
}

/** With a value compared with itself too (a V-statistic), a side may have only one value of a class. */
function distanceOf({ left: n, right: m, withinLeft, withinRight, across }: Sides): number {
  if (n === 0 || m === 0) return 0;
  return ((n * m) / (n + m)) * 2 * (across / (n * m) - withinLeft / n ** 2 - withinRight / m ** 2);
}
