import { bootstrapDifferences, twoGroups } from './bootstrap.ts';
import { quantileRank } from './quantile-rank.ts';

/** The 2.5 % edges of the interval then rest on 50 draws each. */
const DRAWS = 2_000;
/** With fewer browsers in a group, resampling browsers says nothing about the next browser. */
export const MIN_BROWSERS = 6;
/** A difference smaller than this share of the earlier median has no practical use. */
export const MIN_RELATIVE_CHANGE = 0.05;
const TAIL = 0.025;

export interface Observation {
  /** Whole µs. */
  readonly value: number;
  /** null if unknown. */
  readonly browser: string | null;
}

export interface Change {
  /** Medians and their difference, later − earlier, in the unit of the values. */
  readonly before: number;
  readonly after: number;
  readonly difference: number;
  /** 95 %, of the difference. */
  readonly interval: readonly [number, number];
  /** The interval excludes 0, and the difference is at least the clock step and 5 % of the earlier median. */
  readonly changed: boolean;
  /** What was resampled. Samples of one browser are not independent, so an interval over samples is too narrow. */
  readonly over: 'browsers' | 'samples';
  /** Why samples were resampled rather than browsers; null if browsers were. */
  readonly because: 'unknown_browsers' | 'few_browsers' | null;
  /** Browsers in both groups, each drawn once for both; 0 if there are none or samples were resampled. */
  readonly sharedBrowsers: number;
}

/**
 * Whether two groups differ: the difference of their medians with a percentile bootstrap interval. Whole browsers are
 * resampled, with all their samples, because browsers vary independently. A browser in both groups is drawn once for both,
 * so that differences between browsers cancel out.
 *
 * @param clockStep in the unit of the values
 * @param random uniform in [0, 1); seed it, so that a report can be reproduced
 * @returns null if a group is empty
 */
export function change(
  before: readonly Observation[],
  after: readonly Observation[],
  clockStep: number,
  random: () => number,
): Change | null {
  if (before.length === 0 || after.length === 0) return null;
  const because = whySamples(before, after);
  const groups = twoGroups(before, after, because === null);
  const { before: earlier, after: later, strata } = groups;
  const differences = bootstrapDifferences(groups, DRAWS, random).sort();
  const low = differences[quantileRank(TAIL, DRAWS)] as number;
  const high = differences[DRAWS - 1 - quantileRank(TAIL, DRAWS)] as number;
  const difference = later.median - earlier.median;
  const size = Math.abs(difference);
  return {
    before: earlier.median,
    after: later.median,
    difference,
    interval: [low, high],
    changed: (low > 0 || high < 0) && size >= clockStep && size >= MIN_RELATIVE_CHANGE * Math.abs(earlier.median),
    over: because === null ? 'browsers' : 'samples',
    because,
    sharedBrowsers: strata[0],
  };
}

function whySamples(...groups: readonly (readonly Observation[])[]): Change['because'] {
  if (groups.some((group) => group.some(({ browser }) => browser === null))) return 'unknown_browsers';
  const few = groups.some((group) => new Set(group.map(({ browser }) => browser)).size < MIN_BROWSERS);
  return few ? 'few_browsers' : null;
}

/** The same change, of times compared in microseconds, in milliseconds. */
export function inMilliseconds(found: Change): Change {
  return {
    ...found,
    before: found.before / 1000,
    after: found.after / 1000,
    difference: found.difference / 1000,
    interval: [found.interval[0] / 1000, found.interval[1] / 1000],
  };
}
