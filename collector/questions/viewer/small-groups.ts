/** From how many browsers on a group may be shown to a viewer, and which browsers count towards it. Plain data. */
export interface FoldRule {
  /** Groups of fewer browsers are not shown by themselves; 0 shows all. */
  readonly foldBelow: number;
  /** Browsers first heard of after this moment (epoch ms) don't count: whoever has an ingest key can invent them. */
  readonly freshSince?: number | null;
}

const NONE = -1;

export interface SizedGroup {
  /** Those that count, distinct. */
  readonly browsers: number;
  /** Decides which group is the next smallest. */
  readonly samples: number;
  /** Large itself, but hidden for another reason. */
  readonly hidden?: boolean;
  /** Shown by itself elsewhere: taken along only where there is no other. */
  readonly known?: boolean;
}

/**
 * The one decision about small groups: the indexes of the groups that may not be shown by themselves. What is left out
 * could be had by subtracting what is shown from the total, so a small group never goes alone: where the small groups are
 * too few browsers even together, the next smallest group goes with them (complementary suppression). A group without any
 * browser that counts is left out, but takes no other with it: anybody with an ingest key can make one.
 *
 * @param together distinct browsers of several groups; their sum unless given, right where no browser is in two
 */
export function smallGroups(
  groups: readonly SizedGroup[],
  foldBelow: number,
  together: (indexes: readonly number[]) => number = (indexes) => sumOfBrowsers(groups, indexes),
): number[] {
  if (foldBelow <= 1) return [];
  const small: number[] = [];
  const telling: number[] = [];
  let next = NONE;
  let nextKnown = NONE;
  for (const [index, { browsers, samples, hidden = false, known = false }] of groups.entries()) {
    if (browsers < foldBelow || hidden) {
      small.push(index);
      if (browsers > 0) telling.push(index);
    } else if (known) {
      if (nextKnown === NONE || samples < (groups[nextKnown] as SizedGroup).samples) nextKnown = index;
    } else if (next === NONE || samples < (groups[next] as SizedGroup).samples) next = index;
  }
  if (telling.length === 0 || (telling.length > 1 && together(telling) >= foldBelow)) return small;
  if (next === NONE) next = nextKnown;
  return next === NONE ? small : [...small, next];
}

function sumOfBrowsers(groups: readonly SizedGroup[], indexes: readonly number[]): number {
  return indexes.reduce((sum, index) => sum + (groups[index]?.browsers ?? 0), 0);
}
