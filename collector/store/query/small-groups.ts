/** From how many browsers on a group may be shown to a viewer, and which browsers count towards it. Plain data. */
export interface FoldRule {
  /** Groups of fewer browsers are not shown by themselves; 0 shows all. */
  readonly foldBelow: number;
  /** Browsers first heard of after this moment (epoch ms) don't count: whoever has an ingest key can invent them. */
  readonly freshSince?: number | null;
}

export interface SizedGroup {
  /** Those that count, distinct. */
  readonly browsers: number;
  /** Decides which group is the next smallest. */
  readonly samples: number;
  /** Large itself, but what a filter leaves out of it is small. */
  readonly splits?: boolean;
}

/**
 * The one decision about small groups: the indexes of the groups that may not be shown by themselves. What is left out
 * could be had by subtracting what is shown from the total, so a small group never goes alone: where the small groups are
 * too few browsers even together, the next smallest group goes with them (complementary suppression).
 *
 * @param together distinct browsers of several groups; their sum unless given, right where no browser is in two
 */
export function smallGroups(
  groups: readonly SizedGroup[],
  foldBelow: number,
  together: (indexes: readonly number[]) => number = (indexes) => sumOfBrowsers(groups, indexes),
): number[] {
  if (foldBelow <= 1) return [];
  const isSmall = ({ browsers, splits = false }: SizedGroup) => browsers < foldBelow || splits;
  const small = groups.flatMap((group, index) => (isSmall(group) ? [index] : []));
  if (small.length === 0 || (small.length > 1 && together(small) >= foldBelow)) return small;
  let next: number | null = null;
  groups.forEach((group, index) => {
    if (!isSmall(group) && (next === null || group.samples < (groups[next]?.samples ?? 0))) next = index;
  });
  return next === null ? small : [...small, next];
}

/** Whether a filter names some of the groups that may only be shown together, and leaves out others of them. */
export function splitsSmall(small: Iterable<number>, isNamed: (index: number) => boolean): boolean {
  let [named, left] = [false, false];
  for (const index of small) {
    if (isNamed(index)) named = true;
    else left = true;
  }
  return named && left;
}

function sumOfBrowsers(groups: readonly SizedGroup[], indexes: readonly number[]): number {
  return indexes.reduce((sum, index) => sum + (groups[index]?.browsers ?? 0), 0);
}
