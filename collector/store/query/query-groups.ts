import { compareCellKeys } from '../../../shared/summary/cell-key.ts';
import { type CellKey, DIMENSIONS, type Dimension, type Filters } from '../../../shared/summary/dimensions.ts';
import type { CellCatalog } from '../rollup/cell-catalog.ts';
import { type CellWords, wordOf } from '../rollup/cell-dimensions.ts';

/** The groups of one answer, numbered in the order they are met. */
export interface QueryGroups {
  readonly keys: readonly CellKey[];
  /** −1 where the filters leave the cell out. */
  groupOfWords(words: CellWords): number;
  /** The same for a cell of the catalog, from a table. */
  groupOfCell(cell: number): number;
  /** Numbers of all groups in the order of every answer. */
  sorted(): number[];
}

export function createQueryGroups(by: readonly Dimension[], filters: Filters, catalog: CellCatalog): QueryGroups {
  const keys: CellKey[] = [];
  const places = new Map<string, number>();
  const wanted = DIMENSIONS.flatMap((dimension) => {
    const values = filters[dimension];
    return values === undefined ? [] : [[dimension, new Set<string | null>(values)] as const];
  });

  function groupOfWords(words: CellWords): number {
    if (!wanted.every(([dimension, values]) => values.has(wordOf(words, dimension)))) return -1;
    const values = by.map((dimension) => wordOf(words, dimension));
    const id = JSON.stringify(values);
    const known = places.get(id);
    if (known !== undefined) return known;
    const place = keys.push(Object.fromEntries(by.map((dimension, i) => [dimension, values[i] ?? null]))) - 1;
    places.set(id, place);
    return place;
  }

  const UNSEEN = -2;
  const table = new Int32Array(catalog.cells + 1).fill(UNSEEN);
  return {
    keys,
    groupOfWords,
    groupOfCell(cell) {
      let group = table[cell] ?? UNSEEN;
      if (group === UNSEEN) {
        const words = catalog.wordsOf(cell);
        if (words === undefined) throw new RangeError(`A pack names cell ${cell}, which is not known.`);
        group = groupOfWords(words);
        table[cell] = group;
      }
      return group;
    },
    sorted: () => keys.map((_, place) => place).sort((a, b) => compareCellKeys(keys[a] ?? {}, keys[b] ?? {}, by)),
  };
}
