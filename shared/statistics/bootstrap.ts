import { quantileRank } from './quantile-rank.ts';
import { type UnitValues, weightedMedian } from './weighted-median.ts';

export interface Observation {
  /** Whole µs. */
  readonly value: number;
  /** null if unknown. */
  readonly browser: string | null;
}

export interface Group extends UnitValues {
  readonly median: number;
}

export interface TwoGroups {
  readonly before: Group;
  readonly after: Group;
  /** Sizes of the ranges of unit numbers that are drawn from separately: in both groups, before only, after only. */
  readonly strata: readonly [shared: number, before: number, after: number];
}

/** Both groups, units numbered jointly. A browser in both is one unit: what makes it slow counts equally in both. */
export function twoGroups(
  before: readonly Observation[],
  after: readonly Observation[],
  byBrowser: boolean,
): TwoGroups {
  if (!byBrowser) {
    return {
      before: groupOf(before, (_, i) => i),
      after: groupOf(after, (_, i) => before.length + i),
      strata: [0, before.length, after.length],
    };
  }
  const earlier = new Set(before.map(browserOf));
  const later = new Set(after.map(browserOf));
  const shared = [...earlier].filter((browser) => later.has(browser));
  const ids = new Map([...shared, ...earlier, ...later].map((browser) => [browser, 0]));
  let id = 0;
  for (const browser of ids.keys()) ids.set(browser, id++);
  const unit = (observation: Observation) => ids.get(browserOf(observation)) ?? 0;
  return {
    before: groupOf(before, unit),
    after: groupOf(after, unit),
    strata: [shared.length, earlier.size - shared.length, later.size - shared.length],
  };
}

/** Differences of medians, later − earlier, over `draws` draws of as many units as there are, with replacement. */
export function bootstrapDifferences(
  { before, after, strata }: TwoGroups,
  draws: number,
  random: () => number,
): Float64Array {
  const differences = new Float64Array(draws);
  const times = new Uint32Array(strata.reduce((sum, size) => sum + size, 0));
  for (let draw = 0; draw < draws; draw++) {
    times.fill(0);
    let first = 0;
    for (const size of strata) {
      for (let i = 0; i < size; i++) {
        const unit = first + Math.floor(random() * size);
        times[unit] = (times[unit] as number) + 1;
      }
      first += size;
    }
    // Units are drawn from every stratum, so neither group is empty.
    differences[draw] = (weightedMedian(after, times) as number) - (weightedMedian(before, times) as number);
  }
  return differences;
}

function browserOf({ browser }: Observation): string {
  return browser ?? '';
}

function groupOf(observations: readonly Observation[], unit: (observation: Observation, i: number) => number): Group {
  const order = [...observations].sort((a, b) => a.value - b.value);
  const sorted = Float64Array.from(order, ({ value }) => value);
  const median = sorted[quantileRank(0.5, sorted.length)] as number;
  return { sorted, unitOf: Uint32Array.from(order, unit), median };
}
