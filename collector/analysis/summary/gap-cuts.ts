/** One group's contribution to mean − median, ms: positive if its requests are above the overall median. */
interface GapCutPart {
  /** Host, browser id, or the start of the hour in epoch milliseconds. */
  readonly name: string;
  readonly n: number;
  readonly part: number;
}

/**
 * The gap split three other ways, each of which adds up to the whole gap. They answer "where, who, when", overlap, and
 * are never added to each other or to set-up, tail and spread.
 */
export interface GapCuts {
  readonly hosts: readonly GapCutPart[];
  readonly browsers: readonly GapCutPart[];
  readonly hours: readonly GapCutPart[];
}

/** Sums and counts of a group, µs; what a rollup by host already holds. */
interface GroupSum {
  readonly n: number;
  readonly sum: number;
}

/** @param whole count and median (µs) of all groups together */
export function gapCut(
  whole: { readonly n: number; readonly median: number },
  groups: Iterable<readonly [string, GroupSum]>,
): GapCutPart[] {
  return [...groups]
    .map(([name, { n, sum }]) => ({ name, n, part: (sum - n * whole.median) / whole.n / 1000 }))
    .sort((a, b) => b.part - a.part || (a.name < b.name ? -1 : 1));
}
