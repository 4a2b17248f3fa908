import { divideGroups, oneGroup, type RowGroups } from '../rollup/combine-codes.ts';
import { smallGroups } from './small-groups.ts';

/** The finest groups of a table, by their index: samples that differ in none of its dimensions. */
export interface TableCells {
  /** Of each dimension, the code of every cell's value and how many there are. */
  readonly dimensions: readonly { readonly codes: Int32Array; readonly size: number }[];
  readonly samples: Float64Array;
  /** Distinct browsers that count; exact up to the size that groups must have. */
  readonly browsers: Int32Array;
  /** The same of several cells together. */
  together(cells: Iterable<number>): number;
}

/** A set of a table's dimensions, a bit for each. */
type DimensionSet = number;

/** A table grouped by some of its dimensions. What is said of each group is by its number. */
interface Margin {
  readonly groups: RowGroups;
  readonly n: number;
  readonly browsers: Int32Array;
  readonly samples: Float64Array;
  /** Cells of each group, one group after the other. */
  readonly cells: Int32Array;
  readonly ends: Int32Array;
  readonly hidden: Uint8Array;
  /** A coarser table shows the same browsers' samples as a group of its own, so to hide this one protects no other. */
  readonly known: Uint8Array;
}

/** A coarser table, as seen from a finer one. */
interface Coarser extends Pick<Margin, 'hidden' | 'n'> {
  /** By group of the finer table. */
  readonly parents: Int32Array;
}

/**
 * Which cells may not be part of any number, so that none of the coarser tables gives them away by subtraction: in each group
 * of a coarser table that is shown, what is hidden of the finer one is nothing, or several groups of enough browsers together.
 * What a coarser table hides is hidden in all finer ones, unless it hides everything and so tells nothing. The values that a
 * question names play no part, so the answers to different questions agree.
 */
export function hiddenCells(table: TableCells, below: number, checkpoint: () => void): boolean[] {
  const bits = table.dimensions.map((_, index) => 1 << index);
  const everything = (1 << bits.length) - 1;
  const size = table.samples.length;
  const margins: Margin[] = [];
  // Every set comes after the sets within it.
  for (let set = 0; set <= everything; set++) {
    checkpoint();
    margins.push(marginOf(set));
    hide(set);
  }
  const finest = margins[everything] as Margin;
  return Array.from(finest.groups.codes, (group) => tellsHidden(finest, group));

  function marginOf(set: DimensionSet): Margin {
    const groups = groupsOf(set);
    const n = groups.first.length;
    const browsers = new Int32Array(n);
    const samples = new Float64Array(n);
    const ends = new Int32Array(n);
    for (let cell = 0; cell < size; cell++) {
      const group = groups.codes[cell] as number;
      samples[group] = (samples[group] as number) + (table.samples[cell] as number);
      browsers[group] = Math.max(browsers[group] as number, table.browsers[cell] as number);
      ends[group] = (ends[group] as number) + 1;
    }
    let end = 0;
    for (let group = 0; group < n; group++) {
      const begin = end;
      end += ends[group] as number;
      ends[group] = begin;
    }
    const cells = new Int32Array(size);
    for (let cell = 0; cell < size; cell++) {
      const group = groups.codes[cell] as number;
      cells[ends[group] as number] = cell;
      ends[group] = (ends[group] as number) + 1;
    }
    const own = { groups, n, browsers, samples, cells, ends, hidden: new Uint8Array(n), known: new Uint8Array(n) };
    for (let group = 0; group < n; group++) {
      // One cell may be large enough by itself.
      if ((browsers[group] as number) >= below) continue;
      const members = membersOf(own, group);
      if (members.length > 1) browsers[group] = table.together(members);
    }
    return own;
  }

  function groupsOf(set: DimensionSet): RowGroups {
    const index = bits.findIndex((bit) => (set & bit) !== 0);
    const dimension = table.dimensions[index];
    if (dimension === undefined) return oneGroup(size);
    return divideGroups((margins[set & ~(1 << index)] as Margin).groups, dimension.codes, dimension.size);
  }

  /** The next coarser tables that tell anything. */
  function coarserThan(set: DimensionSet): ReadonlySet<Margin> {
    const next = bits.filter((bit) => (set & bit) !== 0).map((bit) => set & ~bit);
    return new Set(
      next.flatMap((coarser) => {
        const margin = margins[coarser] as Margin;
        return coarser !== 0 && !margin.hidden.includes(0) ? [...coarserThan(coarser)] : [margin];
      }),
    );
  }

  function hide(set: DimensionSet): void {
    const margin = margins[set] as Margin;
    const coarser = [...coarserThan(set)].map(({ groups, hidden, n }): Coarser => {
      return { hidden, n, parents: Int32Array.from(margin.groups.first, (cell) => groups.codes[cell] as number) };
    });
    for (let group = 0; group < margin.n; group++) {
      const isHidden = (margin.browsers[group] as number) < below || coarser.some((one) => hidesParent(one, group));
      margin.hidden[group] = isHidden ? 1 : 0;
    }
    if (!margin.hidden.includes(1)) return;
    for (const one of coarser) markKnown(margin, one);
    // What is hidden for one coarser table may leave too little hidden for another.
    while (coarser.filter((one) => hideWithin(margin, one)).length > 0);
  }

  /** @returns whether more had to be hidden */
  function hideWithin(margin: Margin, one: Coarser): boolean {
    const families = new Map<number, number[]>();
    const shown = new Uint8Array(one.n);
    for (let group = 0; group < margin.n; group++) {
      const parent = one.parents[group] as number;
      if (margin.hidden[group] === 0) shown[parent] = 1;
      else if (tellsHidden(margin, group) && !hidesParent(one, group)) families.set(parent, []);
    }
    for (let group = 0; group < margin.n; group++) families.get(one.parents[group] as number)?.push(group);
    let more = false;
    for (const [parent, family] of families) {
      // Nothing is left that could be hidden as well.
      if (shown[parent] === 0) continue;
      const sized = family.map((group) => ({
        browsers: margin.browsers[group] as number,
        samples: margin.samples[group] as number,
        hidden: margin.hidden[group] === 1,
        known: margin.known[group] === 1,
      }));
      const together = (indexes: readonly number[]) =>
        table.together(indexes.flatMap((index) => [...membersOf(margin, family[index] as number)]));
      for (const index of smallGroups(sized, below, together)) {
        more ||= sized[index]?.hidden === false;
        margin.hidden[family[index] as number] = 1;
      }
    }
    return more;
  }

  function membersOf({ cells, ends }: Pick<Margin, 'cells' | 'ends'>, group: number): Int32Array {
    return cells.subarray(group === 0 ? 0 : ends[group - 1], ends[group]);
  }
}

function hidesParent({ hidden, parents }: Coarser, group: number): boolean {
  return hidden[parents[group] as number] === 1;
}

function tellsHidden({ hidden, browsers }: Margin, group: number): boolean {
  return hidden[group] === 1 && (browsers[group] as number) > 0;
}

function markKnown(margin: Margin, one: Coarser): void {
  const children = new Int32Array(one.n);
  one.parents.forEach((parent, group) => {
    if ((margin.browsers[group] as number) > 0) children[parent] = (children[parent] as number) + 1;
  });
  one.parents.forEach((parent, group) => {
    if (children[parent] === 1 && !hidesParent(one, group)) margin.known[group] = 1;
  });
}
