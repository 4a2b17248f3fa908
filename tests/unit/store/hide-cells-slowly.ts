import type { TableCells } from '../../../collector/questions/visibility/hidden-cells.ts';
import { smallGroups } from '../../../collector/questions/visibility/visibility.ts';

interface Group {
  readonly cells: readonly number[];
  readonly browsers: number;
  readonly samples: number;
  hidden: boolean;
  known: boolean;
}

interface Table {
  readonly groups: readonly Group[];
  /** By cell. */
  readonly groupOf: readonly Group[];
}

/** What `hiddenCells` finds, as plainly as it can be said: all families are looked at until none hides any more. */
export function hideCellsSlowly(table: TableCells, below: number): boolean[] {
  const cells = Array.from(table.samples, (_, cell) => cell);
  const tables = Array.from({ length: 2 ** table.dimensions.length }, (_, set) => tableOf(set));
  for (const set of tables.keys()) hide(set);
  return cells.map((cell) => tells(tables.at(-1)?.groupOf[cell]));

  function tableOf(set: number): Table {
    const byName = new Map<string, number[]>();
    const nameOf = (cell: number) =>
      table.dimensions.map(({ codes }, index) => ((set >> index) & 1 ? codes[cell] : '')).join();
    for (const cell of cells) byName.set(nameOf(cell), [...(byName.get(nameOf(cell)) ?? []), cell]);
    const made = new Map(
      [...byName].map(([name, own]): [string, Group] => [
        name,
        {
          cells: own,
          browsers: table.together(own),
          samples: own.reduce((sum, cell) => sum + (table.samples[cell] as number), 0),
          hidden: false,
          known: false,
        },
      ]),
    );
    return { groups: [...made.values()], groupOf: cells.map((cell) => made.get(nameOf(cell)) as Group) };
  }

  function coarserThan(set: number): Set<Table> {
    const next = table.dimensions.flatMap((_, index) => ((set >> index) & 1 ? [set & ~(1 << index)] : []));
    return new Set(
      next.flatMap((coarser) => {
        const own = tables[coarser] as Table;
        return coarser !== 0 && own.groups.every(({ hidden }) => hidden) ? [...coarserThan(coarser)] : [own];
      }),
    );
  }

  function hide(set: number): void {
    const { groups } = tables[set] as Table;
    const coarser = [...coarserThan(set)].map(
      ({ groupOf }) =>
        (group: Group) =>
          groupOf[group.cells[0] as number],
    );
    for (const group of groups) {
      group.hidden = group.browsers < below || coarser.some((parentOf) => parentOf(group)?.hidden);
    }
    for (const parentOf of coarser) {
      for (const group of groups) {
        const parent = parentOf(group);
        const siblings = groups.filter((one) => one.browsers > 0 && parentOf(one) === parent);
        if (siblings.length === 1 && !parent?.hidden) group.known = true;
      }
    }
    while (coarser.filter((parentOf) => hideWithin(groups, parentOf)).length > 0);
  }

  function hideWithin(groups: readonly Group[], parentOf: (group: Group) => Group | undefined): boolean {
    const parents = new Set(groups.filter(tells).map(parentOf));
    let more = false;
    for (const parent of parents) {
      const family = groups.filter((group) => parentOf(group) === parent);
      if (parent?.hidden || family.every(({ hidden }) => hidden)) continue;
      const together = (indexes: readonly number[]) =>
        table.together(indexes.flatMap((index) => [...(family[index]?.cells ?? [])]));
      for (const index of smallGroups(family, below, together)) {
        const group = family[index] as Group;
        more ||= !group.hidden;
        group.hidden = true;
      }
    }
    return more;
  }
}

function tells(group: Group | undefined): boolean {
  return group?.hidden === true && group.browsers > 0;
}
