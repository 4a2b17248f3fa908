import { bootstrapDifferences, type Observation, type TwoGroups, twoGroups } from './bootstrap.ts';
import { type NotCompared, whyNotCompared } from './comparability.ts';
import { quantileRank } from './quantile-rank.ts';

/** The 2.5 % edges of the interval then rest on 50 draws each. */
const DRAWS = 2_000;
/** A difference smaller than this share of the earlier median has no practical use. */
export const MIN_RELATIVE_CHANGE = 0.05;
const TAIL = 0.025;

export interface Change {
  /** Medians and their difference, later − earlier, in the unit of the values. */
  readonly before: number;
  readonly after: number;
  readonly difference: number;
  /** 95 %, of the difference. */
  readonly interval: readonly [number, number];
  /** The interval excludes 0, and the difference is at least the clock step and 5 % of the earlier median. */
  readonly changed: boolean;
  /** The units that were resampled. Samples of one browser are not independent, so an interval over samples is too narrow. */
  readonly over: 'browsers' | 'samples';
  /** Why samples were resampled rather than browsers; null if browsers were. */
  readonly because: SampledBecause | null;
  /** Browsers in both groups, each drawn once for both; 0 if there are none or samples were resampled. */
  readonly sharedBrowsers: number;
}

/** `chosen_browsers`: probes and recordings come from chosen machines, so they do not stand for others. */
export const SAMPLED_BECAUSE = ['unknown_browsers', 'chosen_browsers'] as const;
export type SampledBecause = (typeof SAMPLED_BECAUSE)[number];

/** A change, or why there is none. */
export type Comparison<C = Change> =
  | { readonly change: C; readonly notCompared: null }
  | { readonly change: null; readonly notCompared: NotCompared };

/**
 * Whether two groups differ: the difference of their medians with a percentile bootstrap interval. Whole browsers are
 * resampled, with all their samples, because browsers vary independently. A browser in both groups is drawn once for both,
 * so that differences between browsers cancel out.
 *
 * @param clockStep in the unit of the values
 * @param random uniform in [0, 1); seed it, so that a report can be reproduced
 * @param chosen the browsers are no sample of the users' browsers, so values are resampled however few browsers there are
 */
export function compareGroups(
  before: readonly Observation[],
  after: readonly Observation[],
  clockStep: number,
  random: () => number,
  chosen = false,
): Comparison {
  const counts = [before, after].map(browsersIn);
  const because = chosen ? 'chosen_browsers' : counts.includes(null) ? 'unknown_browsers' : null;
  const notCompared = whyNotCompared(
    ...[before, after].map(({ length: n }, i) => ({ n, browsers: because === null ? (counts[i] as number) : null })),
  );
  if (notCompared !== null) return { change: null, notCompared };
  const groups = twoGroups(before, after, because === null);
  const { before: earlier, after: later, strata } = groups;
  const interval = differenceInterval(groups, random);
  const difference = later.median - earlier.median;
  const size = Math.abs(difference);
  const excludesZero = interval[0] > 0 || interval[1] < 0;
  return {
    change: {
      before: earlier.median,
      after: later.median,
      difference,
      interval,
      changed: excludesZero && size >= clockStep && size >= MIN_RELATIVE_CHANGE * Math.abs(earlier.median),
      over: because === null ? 'browsers' : 'samples',
      because,
      sharedBrowsers: strata[0],
    },
    notCompared: null,
  };
}

/** 95 %, of the difference of the medians. Neither group may be empty. */
export function differenceInterval(groups: TwoGroups, random: () => number): readonly [number, number] {
  const differences = bootstrapDifferences(groups, DRAWS, random).sort();
  const edge = quantileRank(TAIL, DRAWS);
  return [differences[edge] as number, differences[DRAWS - 1 - edge] as number];
}

/** null if unknown for some of the values. */
export function browsersIn(group: readonly Observation[]): number | null {
  const browsers = new Set(group.map(({ browser }) => browser));
  return browsers.has(null) ? null : browsers.size;
}

/** Converts a change of times from microseconds to milliseconds. */
export function inMilliseconds(found: Change): Change {
  return {
    ...found,
    before: found.before / 1000,
    after: found.after / 1000,
    difference: found.difference / 1000,
    interval: [found.interval[0] / 1000, found.interval[1] / 1000],
  };
}
