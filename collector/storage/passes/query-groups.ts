import {
  type AnyDimension,
  type CellKey,
  type DimensionTest,
  dimensionTests,
  FEW_BROWSERS,
  type Filters,
} from '../../../shared/vocabulary/dimensions.ts';
import { isLive, LONG_LIVED } from '../../../shared/vocabulary/vocabulary.ts';
import { once } from '../../lib/once.ts';
import { compareCellKeys } from '../../reductions/cell-key.ts';
import { divideGroups, oneGroup } from '../../reductions/combine-codes.ts';
import type { CellCatalog } from '../rollups/cell-catalog.ts';
import { groupCells, groupId, isOfSamples } from './cell-groups.ts';
import { type CellSelection, selectCells } from './cell-selection.ts';
import { createCombinations } from './combinations.ts';
import { type DimensionColumn, dimensionColumn } from './dimension-column.ts';
import { type GroupedRows, pickedPart, type RowPart } from './row-part.ts';

/** The groups of one answer, numbered in order of first occurrence. */
export interface QueryGroups {
  readonly keys: readonly CellKey[];
  /** The cells that it needs. */
  readonly selection: CellSelection;
  /** The group of a cell; −1 if the filters exclude it. */
  groupOfCell(cell: number): number;
  /** The group of every row; −1 if the filters or the range exclude it. */
  groupsOfRows(part: RowPart): Int32Array;
  /** Whether any row is in a group. Reads only the filter's column if the part has none of its values. */
  hasRows(part: RowPart): boolean;
  /** Only its rows that are in a group; null if there are none. */
  pickRows(part: RowPart): RowPart | null;
  /** The numbers of all groups, in the order of an answer. */
  sorted(): number[];
}

/** Groups that must not be shown individually: they become one group, or are hidden. */
export interface Folding {
  /** By `groupId`. */
  readonly ids: ReadonlySet<string>;
  /** Whether even all of them together have too few browsers. */
  readonly hidden: boolean;
  /** The one value among them that has enough browsers by itself; it is folded so that the others can't be found by subtraction. */
  readonly large?: string;
  /** Groups beyond the requested ranks, which are omitted; the caller counts them. */
  readonly leftOut?: ReadonlySet<string>;
}

/** Groups the samples of a range. */
export interface Grouping {
  groups(by: readonly AnyDimension[], filters: Filters, folding?: Folding | null): QueryGroups;
}

const UNSEEN = -2;

const IS_LIVE: DimensionTest = { dimension: 'source', passes: (value) => value === null || isLive(value) };
const IS_WAITED_FOR: DimensionTest = { dimension: 'type', passes: (value) => value !== LONG_LIVED };

/** As in `selectCells`. */
function liveTestsOf(filters: Filters): DimensionTest[] {
  return [
    ...dimensionTests(filters),
    ...(filters.source === undefined ? [IS_LIVE] : []),
    ...(filters.type === undefined ? [IS_WAITED_FOR] : []),
  ];
}

export function createQueryGroups(
  by: readonly AnyDimension[],
  filters: Filters,
  catalog: CellCatalog,
  folding: Folding | null = null,
): QueryGroups {
  const keys: CellKey[] = [];
  const indices = new Map<string, number>();
  const few = by.map(() => FEW_BROWSERS);
  const tests = liveTestsOf(filters);

  function indexOf(values: readonly (string | null)[], id = groupId(values)): number {
    if (folding?.ids.has(id)) return folding.hidden ? -1 : numbered(few, groupId(few));
    return folding?.leftOut?.has(id) ? -1 : numbered(values, id);
  }

  function numbered(values: readonly (string | null)[], id: string): number {
    const known = indices.get(id);
    if (known !== undefined) return known;
    const index = keys.push(Object.fromEntries(by.map((dimension, i) => [dimension, values[i] ?? null]))) - 1;
    indices.set(id, index);
    return index;
  }

  const cells = once(() => {
    if ([...by, ...tests.map(({ dimension }) => dimension)].some(isOfSamples)) {
      throw new RangeError('No rollup knows templates.');
    }
    const passes = tests.map(({ dimension, passes: test }) => ({
      column: groupCells(catalog, [dimension]),
      test,
      known: [] as (boolean | undefined)[],
    }));
    return { own: groupCells(catalog, by), passes, groups: [] as number[] };
  });
  /** An engine may number cells only while it reads them. */
  let table = new Int32Array(catalog.cells + 1).fill(UNSEEN);
  /** Called for each value of each block, so small enough to be inlined there. */
  function groupOfCell(cell: number): number {
    const known = table[cell] ?? UNSEEN;
    return known === UNSEEN ? computeGroup(cell) : known;
  }

  function computeGroup(cell: number): number {
    const { own, passes, groups } = cells();
    const code = own.codes[cell] ?? own.codeOf(cell);
    if (code < 0) throw new RangeError(`A rollup block has the unknown cell ${cell}.`);
    let isSelected = true;
    for (const { column, test, known } of passes) {
      const value = column.codes[cell] ?? column.codeOf(cell);
      known[value] ??= test(column.keys[value]?.[0] ?? null);
      isSelected &&= known[value] === true;
    }
    let group = -1;
    if (isSelected) {
      group = groups[code] ?? indexOf(own.keys[code] ?? [], own.ids[code]);
      groups[code] = group;
    }
    if (cell >= table.length) {
      const grown = new Int32Array(Math.max(cell + 1, 2 * table.length)).fill(UNSEEN);
      grown.set(table);
      table = grown;
    }
    table[cell] = group;
    return group;
  }

  const combinations = createCombinations(by.length);
  const groupOfCombination: number[] = [];

  /** Reused for every metric. */
  const rows = new WeakMap<RowPart, { readonly found: Int32Array; readonly any: boolean }>();
  function rowsOf(part: RowPart) {
    const known = rows.get(part);
    if (known !== undefined) return known;
    const found = groupRows(part);
    rows.set(part, found);
    return found;
  }

  function groupRows(part: RowPart): { found: Int32Array; any: boolean } {
    const { columns, inside } = part;
    const passes = tests
      .map(({ dimension, passes: test }) => {
        const { codes: indices, strings: values } = dimensionColumn(columns, dimension);
        return { indices, pass: Uint8Array.from([null, ...values], (value) => (test(value) ? 1 : 0)) };
      })
      .filter(({ pass }) => pass.includes(0));
    const found = new Int32Array(columns.n);
    if (passes.some(({ pass }) => !pass.includes(1))) return { found: found.fill(-1), any: false };
    for (const { indices, pass } of passes) {
      for (let row = 0; row < found.length; row++) if (pass[(indices[row] as number) + 1] === 0) found[row] = -1;
    }
    const { codes, first, columns: grouped } = groupedBy(part, by);
    let any = false;
    const numbers = new Int32Array(first.length).fill(UNSEEN);
    // Values are looked up only if a selected row has them, which may be one of a thousand pages.
    const own = grouped.map(({ strings: values }) => new Int32Array(values.length + 1).fill(UNSEEN));
    const valueAt = (column: number, code: number): number => {
      const numbersOf = own[column] as Int32Array;
      if (numbersOf[code + 1] === UNSEEN) {
        numbersOf[code + 1] = combinations.valueOf(column, (grouped[column] as DimensionColumn).strings[code] ?? null);
      }
      return numbersOf[code + 1] as number;
    };
    const combination = new Int32Array(by.length);
    for (let row = 0; row < columns.n; row++) {
      if (found[row] === -1) continue;
      if (inside !== null && inside[row] === 0) {
        found[row] = -1;
        continue;
      }
      const local = codes[row] as number;
      let group = numbers[local] as number;
      if (group === UNSEEN) {
        for (let column = 0; column < combination.length; column++) {
          combination[column] = valueAt(column, (grouped[column] as DimensionColumn).codes[row] as number);
        }
        const number = combinations.numberOf(combination);
        group = groupOfCombination[number] ?? UNSEEN;
        if (group === UNSEEN) {
          group = indexOf(grouped.map((column) => column.strings[column.codes[row] as number] ?? null));
          groupOfCombination[number] = group;
        }
        numbers[local] = group;
      }
      found[row] = group;
      if (group >= 0) any = true;
    }
    return { found, any };
  }

  return {
    keys,
    selection: selectCells(by, filters),
    groupOfCell,
    groupsOfRows: (part) => rowsOf(part).found,
    hasRows: (part) => rowsOf(part).any,
    pickRows(part) {
      const { found, any } = rowsOf(part);
      if (!any) return null;
      const picked = pickedPart(part, found);
      if (picked !== part) rows.set(picked, { found: found.filter((group) => group >= 0), any });
      return picked;
    },
    sorted: () => keys.map((_, index) => index).sort((a, b) => compareCellKeys(keys[a] ?? {}, keys[b] ?? {}, by)),
  };
}

function groupedBy({ columns, grouped }: RowPart, by: readonly AnyDimension[]): GroupedRows {
  const name = by.join();
  const known = grouped.get(name);
  if (known !== undefined) return known;
  const columnsOf = by.map((dimension) => dimensionColumn(columns, dimension));
  const { codes, first } = columnsOf.reduce(
    (groups, column) => divideGroups(groups, column.codes, column.strings.length),
    oneGroup(columns.n),
  );
  const found = { codes, first, columns: columnsOf };
  grouped.set(name, found);
  return found;
}
