import type { TimeRange } from '../../../shared/vocabulary/dimensions.ts';
import type { Waits } from './waits.ts';

/** The parts of a longer range that were read. */
export interface Drawn {
  /** Disjoint, in order. */
  readonly parts: readonly TimeRange[];
  /** Of the range's samples. */
  readonly share: number;
}

/**
 * How far the saving of a cause may be off because only parts of the time were read: a cause that comes and goes is in some of
 * them and not in others. A part counts as one unit however many requests it has (cluster sampling), compared with what its
 * requests let expect (ratio estimator), and the part of the range that was read is certain (finite population; W. G. Cochran,
 * Sampling Techniques, 1977).
 *
 * @returns a function that calls `cure` and answers the standard error as a share of what was cured
 */
export function createDrawingError(waits: Waits, { parts, share }: Drawn): (cure: () => void) => number {
  const { table, left, waited } = waits;
  const partOf = partOfRows(table.at, parts);
  const requests = new Float64Array(parts.length);
  for (const row of waited) {
    const part = partOf[row] as number;
    if (part >= 0) requests[part] = (requests[part] as number) + 1;
  }
  return (cure) => {
    const before = { ttlb: left.ttlb.slice(), redirect: left.redirect.slice(), outcome: table.outcome.slice() };
    cure();
    const times = new Float64Array(parts.length);
    const changed = new Float64Array(parts.length);
    for (let row = 0; row < table.n; row++) {
      const part = partOf[row] as number;
      if (part < 0) continue;
      for (const name of ['ttlb', 'redirect'] as const) {
        const ms = (before[name][row] as number) - (left[name][row] as number);
        if (ms > 0) times[part] = (times[part] as number) + ms;
      }
      if (before.outcome[row] !== table.outcome[row]) changed[part] = (changed[part] as number) + 1;
    }
    // Errors take no time themselves: what they cost is in proportion to their number.
    return Math.sqrt(1 - share) * relativeError(times.some((ms) => ms > 0) ? times : changed, requests);
  };
}

function relativeError(values: Float64Array, requests: Float64Array): number {
  const n = values.length;
  const sum = values.reduce((total, value) => total + value, 0);
  if (n < 2 || sum === 0) return 0;
  const rate = sum / requests.reduce((total, count) => total + count, 0);
  const squares = values.reduce((total, value, part) => total + (value - rate * (requests[part] as number)) ** 2, 0);
  return Math.sqrt((n / (n - 1)) * squares) / sum;
}

/** −1 for a row in none of them. */
function partOfRows(at: Float64Array, parts: readonly TimeRange[]): Int32Array {
  const found = new Int32Array(at.length);
  let part = 0;
  for (let row = 0; row < at.length; row++) {
    const time = at[row] as number;
    const isInside = () =>
      part < parts.length && time >= (parts[part] as TimeRange).from && time < (parts[part] as TimeRange).to;
    if (!isInside()) part = parts.findIndex(({ from, to }) => time >= from && time < to);
    if (part < 0) part = parts.length;
    found[row] = part < parts.length ? part : -1;
  }
  return found;
}
