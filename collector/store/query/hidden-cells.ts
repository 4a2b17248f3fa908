import { smallGroups } from './small-groups.ts';

/** The finest groups of a table, by their index: samples that differ in none of its dimensions. */
export interface TableCells {
  readonly n: number;
  /** By dimension, the code of each cell's value. */
  readonly codes: readonly Int32Array[];
  samples(cell: number): number;
  /** Distinct browsers that count; exact up to the size that groups must have. */
  browsers(cells: readonly number[]): number;
}

/** A set of a table's dimensions, a bit for each. */
type DimensionSet = number;

/** A table grouped by some of its dimensions. */
interface Margin {
  /** By cell of the table. */
  readonly groupOf: Int32Array;
  readonly groups: MarginGroup[];
}

interface MarginGroup {
  readonly members: number[];
  browsers: number;
  samples: number;
  hidden: boolean;
  /** A coarser table shows the same browsers' samples as a group of its own, so to hide this one protects no other. */
  known: boolean;
}

/**
 * Which cells may not be part of any number, so that none of the coarser tables gives them away by subtraction: in each group
 * of a coarser table that is shown, what is hidden of the finer one is nothing, or several groups of enough browsers together.
 * What a coarser table hides is hidden in all finer ones, unless it hides everything and so tells nothing. The values that a
 * question names play no part, so the answers to different questions agree.
 */
export function hiddenCells(cells: TableCells, below: number, checkpoint: () => void): boolean[] {
  const everything = (1 << cells.codes.length) - 1;
  const dimensions = cells.codes.map((_, index) => 1 << index);
  const margins: Margin[] = [];
  // Every set comes after the sets within it.
  for (let set = 0; set <= everything; set++) {
    checkpoint();
    margins.push(marginOf(set));
    hide(set);
  }
  const { groupOf, groups } = margins[everything] as Margin;
  return Array.from(groupOf, (group) => {
    const { hidden, browsers } = groups[group] as MarginGroup;
    return hidden && browsers > 0;
  });

  function marginOf(set: DimensionSet): Margin {
    const groupOf = new Int32Array(cells.n);
    const groups: MarginGroup[] = [];
    const dimension = dimensions.findIndex((bit) => (set & bit) !== 0);
    const coarser = dimension < 0 ? null : (margins[set & ~(1 << dimension)] as Margin);
    const codes = cells.codes[dimension];
    const known = new Map<number, number>();
    for (let cell = 0; cell < cells.n; cell++) {
      // Fewer than 2^26 cells: a product of two such numbers is exact.
      const key = coarser === null ? 0 : (coarser.groupOf[cell] as number) * cells.n + (codes?.[cell] as number);
      let group = known.get(key);
      if (group === undefined) {
        group = groups.push({ members: [], browsers: 0, samples: 0, hidden: false, known: false }) - 1;
        known.set(key, group);
      }
      groupOf[cell] = group;
      const own = groups[group] as MarginGroup;
      own.members.push(cell);
      own.samples += cells.samples(cell);
    }
    for (const group of groups) group.browsers = cells.browsers(group.members);
    return { groupOf, groups };
  }

  /** The next coarser tables that tell anything. */
  function coarserThan(set: DimensionSet): ReadonlySet<Margin> {
    const next = dimensions.filter((bit) => (set & bit) !== 0).map((bit) => set & ~bit);
    return new Set(
      next.flatMap((coarser) => {
        const margin = margins[coarser] as Margin;
        return coarser !== 0 && margin.groups.every(({ hidden }) => hidden) ? [...coarserThan(coarser)] : [margin];
      }),
    );
  }

  function hide(set: DimensionSet): void {
    const { groups } = margins[set] as Margin;
    const coarser = coarserThan(set);
    for (const group of groups) {
      group.hidden = group.browsers < below || [...coarser].some((margin) => above(group, margin).hidden);
    }
    for (const margin of coarser) {
      for (const siblings of siblingsOf(groups, margin, ({ browsers }) => browsers > 0)) {
        const telling = siblings.filter(({ browsers }) => browsers > 0);
        if (telling.length === 1) (telling[0] as MarginGroup).known = true;
      }
    }
    // What is hidden for one coarser table may leave too little hidden for another.
    for (let before = -1, now = count(groups); before !== now; before = now, now = count(groups)) {
      for (const margin of coarser) {
        for (const siblings of siblingsOf(groups, margin, ({ hidden, browsers }) => hidden && browsers > 0)) {
          const together = (indexes: readonly number[]) =>
            cells.browsers(indexes.flatMap((index) => siblings[index]?.members ?? []));
          for (const index of smallGroups(siblings, below, together)) (siblings[index] as MarginGroup).hidden = true;
        }
      }
    }
  }
}

function count(groups: readonly MarginGroup[]): number {
  return groups.reduce((sum, { hidden }) => sum + (hidden ? 1 : 0), 0);
}

function above({ members }: MarginGroup, { groupOf, groups }: Margin): MarginGroup {
  return groups[groupOf[members[0] as number] as number] as MarginGroup;
}

/** Groups that lie in one group of a coarser table, where that is shown and any of them is wanted. */
function siblingsOf(
  groups: readonly MarginGroup[],
  margin: Margin,
  isWanted: (group: MarginGroup) => boolean,
): Iterable<readonly MarginGroup[]> {
  const found = new Map<MarginGroup, MarginGroup[]>();
  for (const group of groups) {
    const parent = above(group, margin);
    if (!parent.hidden && isWanted(group)) found.set(parent, []);
  }
  if (found.size > 0) for (const group of groups) found.get(above(group, margin))?.push(group);
  return found.values();
}
