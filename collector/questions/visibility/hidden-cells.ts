import { once } from '../../lib/once.ts';
import { divideGroups, oneGroup, type RowGroups } from '../../reductions/combine-codes.ts';
import { smallGroups } from './visibility.ts';

/** Cells times the tables that they are grouped into, one per set of dimensions: at most about two seconds of work. */
const MAX_CHECKED_CELLS = 2_000_000;
/** Families between two checks of whether the client is still connected. */
const FAMILIES_PER_CHECK = 1024;

/** The finest groups of a table, by index: within one, samples share the value of every dimension. */
export interface TableCells {
  /** For each dimension, the code of every cell's value, and the number of codes. */
  readonly dimensions: readonly { readonly codes: Int32Array; readonly size: number }[];
  readonly samples: Float64Array;
  /** Distinct browsers that count; exact up to the minimum group size. */
  readonly browsers: Int32Array;
  /** Distinct browsers of several cells together. */
  together(cells: Iterable<number>): number;
}

/** A set of a table's dimensions, one bit each. */
type DimensionSet = number;

/** What finer tables need to know about a table grouped by some of its dimensions. Arrays are indexed by group. */
interface Margin {
  readonly groups: RowGroups;
  readonly hidden: Uint8Array;
  /** All of its groups are hidden, so it reveals nothing. */
  hidesAll: boolean;
}

/** A table while it is being checked. */
interface CheckedTable {
  readonly groups: RowGroups;
  readonly n: number;
  readonly browsers: Int32Array;
  readonly samples: Float64Array;
  readonly cells: Members;
  readonly hidden: Uint8Array;
  /**
   * Set if a coarser table shows the same browsers' samples as a group of its own, so hiding this group would not
   * protect another.
   */
  readonly known: Uint8Array;
}

/** A coarser table, seen from a finer one. A family is the set of finer groups that one of its groups divides into. */
interface Coarser {
  readonly hidden: Uint8Array;
  /** Indexed by group of the finer table. */
  readonly parents: Int32Array;
  families(): Members;
  /** Families that have been decided or are about to be, by parent. */
  readonly queued: Uint8Array;
  /** Families with a hidden group that have not been decided yet. */
  pending: number[];
}

/**
 * Which cells must not contribute to any number, so that no coarser table reveals them by subtraction: in each shown
 * group of a coarser table, either nothing of the finer one is hidden, or several groups that together have enough
 * browsers. What a coarser table hides is hidden in all finer ones, unless it hides everything and so reveals nothing.
 * The values that a query filters by play no part, so that answers to different queries agree.
 */
export function hiddenCells(table: TableCells, below: number, checkpoint: () => void): boolean[] {
  const bits = table.dimensions.map((_, index) => 1 << index);
  const everything = (1 << bits.length) - 1;
  const size = table.samples.length;
  const margins: Margin[] = [];
  // Every set comes after its subsets.
  for (let set = 0; set < everything; set++) {
    checkpoint();
    const { groups, hidden } = check(set);
    margins.push({ groups, hidden, hidesAll: !hidden.includes(0) });
  }
  const finest = check(everything);
  return Array.from(finest.groups.codes, (group) => hidesBrowsers(finest, group));

  function check(set: DimensionSet): CheckedTable {
    const checked = tableOf(groupsOf(set));
    hide(checked, coarserThan(set));
    return checked;
  }

  function tableOf(groups: RowGroups): CheckedTable {
    const n = groups.first.length;
    const browsers = new Int32Array(n);
    const samples = new Float64Array(n);
    for (let cell = 0; cell < size; cell++) {
      const group = groups.codes[cell] as number;
      samples[group] = (samples[group] as number) + (table.samples[cell] as number);
      browsers[group] = Math.max(browsers[group] as number, table.browsers[cell] as number);
    }
    const cells = membersOf(groups.codes, n);
    for (let group = 0; group < n; group++) {
      // One cell may be large enough on its own.
      if ((browsers[group] as number) >= below) continue;
      const members = cells.of(group);
      if (members.length > 1) browsers[group] = table.together(members);
    }
    return { groups, n, browsers, samples, cells, hidden: new Uint8Array(n), known: new Uint8Array(n) };
  }

  function groupsOf(set: DimensionSet): RowGroups {
    const index = bits.findIndex((bit) => (set & bit) !== 0);
    const dimension = table.dimensions[index];
    if (dimension === undefined) return oneGroup(size);
    return divideGroups((margins[set & ~(1 << index)] as Margin).groups, dimension.codes, dimension.size);
  }

  /** The nearest coarser tables that reveal anything. */
  function coarserThan(set: DimensionSet): Iterable<Margin> {
    const found = new Map<DimensionSet, Margin>();
    const met = new Set<DimensionSet>();
    const look = (from: DimensionSet) => {
      for (const bit of bits) {
        const coarser = from & ~bit;
        if (coarser === from || met.has(coarser)) continue;
        met.add(coarser);
        const margin = margins[coarser] as Margin;
        if (coarser !== 0 && margin.hidesAll) look(coarser);
        else found.set(coarser, margin);
      }
    };
    look(set);
    return found.values();
  }

  function hide(checked: CheckedTable, margins: Iterable<Margin>): void {
    const coarser = Array.from(margins, (margin) => coarserOf(checked, margin));
    for (let group = 0; group < checked.n; group++) {
      const isHidden = (checked.browsers[group] as number) < below || coarser.some((one) => hidesParent(one, group));
      checked.hidden[group] = isHidden ? 1 : 0;
    }
    if (!checked.hidden.includes(1)) return;
    for (const one of coarser) markKnown(checked, one);
    for (let group = 0; group < checked.n; group++) if (hidesBrowsers(checked, group)) queueFamilies(coarser, group);
    // Hiding for one coarser table may leave too little hidden for another. A family is decided once: from then on
    // enough of it is hidden, or all of it.
    while (coarser.some(({ pending }) => pending.length > 0)) {
      for (const one of coarser) decidePending(checked, one, coarser);
    }
  }

  function decidePending(checked: CheckedTable, one: Coarser, coarser: readonly Coarser[]): void {
    const { pending } = one;
    if (pending.length === 0) return;
    one.pending = [];
    const families = one.families();
    for (const [index, parent] of pending.entries()) {
      if (index % FAMILIES_PER_CHECK === 0) checkpoint();
      for (const group of hideWithin(checked, families.of(parent))) queueFamilies(coarser, group);
    }
  }

  /** @returns the groups that had to be hidden as well */
  function hideWithin(
    { hidden, known, browsers, samples, cells }: CheckedTable,
    family: Int32Array,
  ): readonly number[] {
    // There is nothing left to hide.
    if (family.every((group) => hidden[group] === 1)) return [];
    const sized = Array.from(family, (group) => ({
      browsers: browsers[group] as number,
      samples: samples[group] as number,
      hidden: hidden[group] === 1,
      known: known[group] === 1,
    }));
    function* cellsOf(indexes: readonly number[]) {
      for (const index of indexes) yield* cells.of(family[index] as number);
    }
    const small = smallGroups(sized, below, (indexes) => table.together(cellsOf(indexes)));
    const more = small.flatMap((index) => (sized[index]?.hidden === false ? [family[index] as number] : []));
    for (const group of more) hidden[group] = 1;
    return more;
  }
}

/** How many cells a table may have to be checked. */
export function maxCheckedCells(dimensions: number): number {
  return Math.floor(MAX_CHECKED_CELLS / 2 ** dimensions);
}

/** The members of each group, stored group after group. */
interface Members {
  of(group: number): Int32Array;
}

/**
 * @param groups group of each member
 * @param n number of groups
 */
function membersOf(groups: Int32Array, n: number): Members {
  const ends = new Int32Array(n + 1);
  for (const group of groups) ends[group + 1] = (ends[group + 1] as number) + 1;
  for (let group = 0; group < n; group++) ends[group + 1] = (ends[group + 1] as number) + (ends[group] as number);
  const next = ends.slice();
  const members = new Int32Array(groups.length);
  groups.forEach((group, member) => {
    const index = next[group] as number;
    members[index] = member;
    next[group] = index + 1;
  });
  return { of: (group) => members.subarray(ends[group], ends[group + 1]) };
}

function coarserOf({ groups, n }: CheckedTable, { groups: coarser, hidden }: Margin): Coarser {
  const parents = new Int32Array(n);
  for (let group = 0; group < n; group++) parents[group] = coarser.codes[groups.first[group] as number] as number;
  const families = once(() => membersOf(parents, hidden.length));
  return { hidden, parents, families, queued: new Uint8Array(hidden.length), pending: [] };
}

/** Queues the families that contain a newly hidden group. */
function queueFamilies(coarser: readonly Coarser[], group: number): void {
  for (const { parents, hidden, queued, pending } of coarser) {
    const parent = parents[group] as number;
    if (hidden[parent] === 1 || queued[parent] === 1) continue;
    queued[parent] = 1;
    pending.push(parent);
  }
}

function hidesParent({ hidden, parents }: Coarser, group: number): boolean {
  return hidden[parents[group] as number] === 1;
}

function hidesBrowsers({ hidden, browsers }: Pick<CheckedTable, 'hidden' | 'browsers'>, group: number): boolean {
  return hidden[group] === 1 && (browsers[group] as number) > 0;
}

function markKnown({ n, browsers, known }: CheckedTable, one: Coarser): void {
  const children = new Int32Array(one.hidden.length);
  for (let group = 0; group < n; group++) {
    const parent = one.parents[group] as number;
    if ((browsers[group] as number) > 0) children[parent] = (children[parent] as number) + 1;
  }
  for (let group = 0; group < n; group++) {
    if (children[one.parents[group] as number] === 1 && !hidesParent(one, group)) known[group] = 1;
  }
}

/** Counts of samples, browsers or runs with the same values. */
export interface CountedCell {
  /** One per dimension. */
  readonly words: readonly (string | null)[];
  readonly samples: number;
  /** Distinct browsers that count. */
  readonly browsers: number;
}

/**
 * Which cells must not contribute to any number: see `hiddenCells`. Cells with the same words count as one.
 * @param together distinct browsers of several cells
 */
export function findHidden(
  cells: readonly CountedCell[],
  together: (cells: Iterable<number>) => number,
  below: number,
  checkpoint: () => void,
): boolean[] {
  if (cells.length === 0) return [];
  const dimensions = (cells[0]?.words ?? []).map((_, index) => {
    const known = new Map<string | null, number>();
    const codes = Int32Array.from(cells, ({ words }) => {
      const word = words[index] ?? null;
      const code = known.get(word) ?? known.size;
      known.set(word, code);
      return code;
    });
    return { codes, size: known.size };
  });
  const samples = Float64Array.from(cells, (cell) => cell.samples);
  const browsers = Int32Array.from(cells, (cell) => cell.browsers);
  return hiddenCells({ dimensions, samples, browsers, together }, below, checkpoint);
}
