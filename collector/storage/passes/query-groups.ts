import { type AnyDimension, type CellKey, FEW_BROWSERS, type Filters } from '../../../shared/vocabulary/dimensions.ts';
import { isImported } from '../../../shared/vocabulary/vocabulary.ts';
import { compareCellKeys } from '../../reductions/cell-key.ts';
import { once } from '../columns/once.ts';
import type { CellCatalog } from '../rollups/cell-catalog.ts';
import { divideGroups, oneGroup } from '../rollups/combine-codes.ts';
import { groupCells, groupId, isOfSamples } from './cell-groups.ts';
import { createCombinations } from './combinations.ts';
import { type DimensionColumn, dimensionColumn } from './dimension-column.ts';
import { type GroupedRows, pickedPart, type RowPart } from './row-part.ts';

/** The groups of one answer, numbered in the order they are met. */
export interface QueryGroups {
  readonly keys: readonly CellKey[];
  /** Of a cell of the catalog; −1 where the filters leave it out. */
  groupOfCell(cell: number): number;
  /** Of every row; −1 where the filters or the range leave it out. */
  groupsOfRows(part: RowPart): Int32Array;
  /** Whether any row of it is left. Where a filter names nothing that the part has, no column but that one is looked at. */
  hasRows(part: RowPart): boolean;
  /** Its rows that are in a group, and no others; null where none is. */
  pickRows(part: RowPart): RowPart | null;
  /** Numbers of all groups in the order of every answer. */
  sorted(): number[];
}

/** Groups that may not be shown by themselves: all become one, or none is shown. */
export interface Folding {
  /** By `groupId`. */
  readonly ids: ReadonlySet<string>;
  /** They stay too few even together. */
  readonly hidden: boolean;
  /** Groups that nobody asked for by their rank: left out, and counted by who left them out. */
  readonly leftOut?: ReadonlySet<string>;
}

const UNSEEN = -2;

interface DimensionTest {
  readonly dimension: AnyDimension;
  passes(word: string | null): boolean;
}

/** Recordings are nobody's traffic of today: they are in an answer only if it asks for their source. */
function testsOf(filters: Filters): DimensionTest[] {
  const tests = (Object.keys(filters) as AnyDimension[]).flatMap((dimension): DimensionTest[] => {
    const values = filters[dimension];
    if (values === undefined) return [];
    const wanted = new Set<string | null>(values);
    return [{ dimension, passes: (word) => wanted.has(word) }];
  });
  if (filters.source !== undefined) return tests;
  return [...tests, { dimension: 'source', passes: (word) => word === null || !isImported(word) }];
}

export function createQueryGroups(
  by: readonly AnyDimension[],
  filters: Filters,
  catalog: CellCatalog,
  folding: Folding | null = null,
): QueryGroups {
  const keys: CellKey[] = [];
  const places = new Map<string, number>();
  const few = by.map(() => FEW_BROWSERS);
  const tests = testsOf(filters);

  function placeOf(words: readonly (string | null)[], id = groupId(words)): number {
    if (folding?.ids.has(id)) return folding.hidden ? -1 : numbered(few, groupId(few));
    return folding?.leftOut?.has(id) ? -1 : numbered(words, id);
  }

  function numbered(words: readonly (string | null)[], id: string): number {
    const known = places.get(id);
    if (known !== undefined) return known;
    const place = keys.push(Object.fromEntries(by.map((dimension, i) => [dimension, words[i] ?? null]))) - 1;
    places.set(id, place);
    return place;
  }

  const cells = once(() => {
    if ([...by, ...tests.map(({ dimension }) => dimension)].some(isOfSamples)) {
      // No rollup knows templates: who asks for them reads no packs.
      throw new RangeError('No rollup knows templates.');
    }
    const { codes, keys: words, ids } = groupCells(catalog, by);
    const passes = tests.map(({ dimension, passes: test }) => {
      const column = groupCells(catalog, [dimension]);
      return { codes: column.codes, pass: column.keys.map(([word = null]) => test(word)) };
    });
    return { codes, words, ids, passes, groups: new Int32Array(ids.length).fill(UNSEEN) };
  });
  const table = new Int32Array(catalog.cells + 1).fill(UNSEEN);
  function groupOfCell(cell: number): number {
    const known = table[cell] ?? UNSEEN;
    if (known !== UNSEEN) return known;
    const { codes, words, ids, passes, groups } = cells();
    const code = codes[cell] ?? -1;
    if (code < 0) throw new RangeError(`A pack names cell ${cell}, which is not known.`);
    let group = -1;
    if (passes.every(({ codes: of, pass }) => pass[of[cell] as number])) {
      group = groups[code] as number;
      if (group === UNSEEN) {
        group = placeOf(words[code] ?? [], ids[code]);
        groups[code] = group;
      }
    }
    table[cell] = group;
    return group;
  }

  const paths = createCombinations(by.length);
  const placeOfPath: number[] = [];

  /** Asked for again for every measure. */
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
        const { codes: places, strings: words } = dimensionColumn(columns, dimension);
        return { places, pass: Uint8Array.from([null, ...words], (word) => (test(word) ? 1 : 0)) };
      })
      .filter(({ pass }) => pass.includes(0));
    const found = new Int32Array(columns.n);
    if (passes.some(({ pass }) => !pass.includes(1))) return { found: found.fill(-1), any: false };
    for (const { places, pass } of passes) {
      for (let row = 0; row < found.length; row++) if (pass[(places[row] as number) + 1] === 0) found[row] = -1;
    }
    const { codes, first, columns: grouped } = groupedBy(part, by);
    let any = false;
    const numbers = new Int32Array(first.length).fill(UNSEEN);
    // A word is looked up where a row that is asked for has it: of a thousand pages it may be one.
    const own = grouped.map(({ strings: words }) => new Int32Array(words.length + 1).fill(UNSEEN));
    const wordAt = (column: number, code: number): number => {
      const numbersOf = own[column] as Int32Array;
      if (numbersOf[code + 1] === UNSEEN) {
        numbersOf[code + 1] = paths.valueOf(column, (grouped[column] as DimensionColumn).strings[code] ?? null);
      }
      return numbersOf[code + 1] as number;
    };
    const path = new Int32Array(by.length);
    for (let row = 0; row < columns.n; row++) {
      if (found[row] === -1) continue;
      if (inside !== null && inside[row] === 0) {
        found[row] = -1;
        continue;
      }
      const local = codes[row] as number;
      let group = numbers[local] as number;
      if (group === UNSEEN) {
        for (let column = 0; column < path.length; column++) {
          path[column] = wordAt(column, (grouped[column] as DimensionColumn).codes[row] as number);
        }
        const number = paths.numberOf(path);
        group = placeOfPath[number] ?? UNSEEN;
        if (group === UNSEEN) {
          group = placeOf(grouped.map((column) => column.strings[column.codes[row] as number] ?? null));
          placeOfPath[number] = group;
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
    sorted: () => keys.map((_, place) => place).sort((a, b) => compareCellKeys(keys[a] ?? {}, keys[b] ?? {}, by)),
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
