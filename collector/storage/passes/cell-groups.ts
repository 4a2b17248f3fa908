import { type AnyDimension, SAMPLE_DIMENSIONS } from '../../../shared/vocabulary/dimensions.ts';
import type { CellCatalog } from '../rollups/cell-catalog.ts';
import { readDimension } from '../rollups/cell-dimensions.ts';

/** A key's values as one text. */
export function groupId(values: readonly (string | null)[]): string {
  return JSON.stringify(values);
}

/** The cells of a catalog grouped by some dimensions. */
export interface CellGroups {
  /** The index of its group in the lists below; −1 if the catalog has no such cell. */
  codeOf(cell: number): number;
  /** The same by cell, of those that were asked for so far: a question has a hundred thousand, and no time for calls. */
  readonly codes: readonly number[];
  readonly keys: readonly (readonly (string | null)[])[];
  /** The `groupId` of each key. */
  readonly ids: readonly string[];
}

/** Groupings kept per catalog: questions use only a few. */
const MAX_KEPT = 32;
const kept = new WeakMap<CellCatalog, Map<string, CellGroups>>();

/**
 * Every cell's group, computed once per catalog and then only for new cells: a question is often answered in less time than
 * it takes to look at all cells.
 */
export function groupCells(catalog: CellCatalog, by: readonly AnyDimension[]): CellGroups {
  const name = by.join();
  const all = kept.get(catalog) ?? new Map<string, CellGroups>();
  kept.set(catalog, all);
  const known = all.get(name);
  if (known !== undefined) return known;
  if (all.size >= MAX_KEPT) all.clear();
  const groups = createCellGroups(catalog, by);
  all.set(name, groups);
  return groups;
}

function createCellGroups(catalog: CellCatalog, by: readonly AnyDimension[]): CellGroups {
  const codes = [-1];
  const keys: (string | null)[][] = [];
  const ids: string[] = [];
  const indices = new Map<string, number>();

  function compute(cell: number): number {
    const values = catalog.dimensionsOf(cell);
    // Cells are numbered without gaps, but a damaged store may have some.
    if (values === undefined) return -1;
    const own = by.map((dimension) => {
      if (isOfSamples(dimension)) throw new RangeError('No rollup knows templates.');
      return readDimension(values, dimension);
    });
    const id = groupId(own);
    const known = indices.get(id);
    if (known !== undefined) return known;
    const index = keys.push(own) - 1;
    ids.push(id);
    indices.set(id, index);
    return index;
  }

  return {
    keys,
    ids,
    codes,
    codeOf(cell) {
      for (let next = codes.length; next <= catalog.cells; next++) codes.push(compute(next));
      return codes[cell] ?? -1;
    },
  };
}

type OfSamples = (typeof SAMPLE_DIMENSIONS)[number];

export function isOfSamples(dimension: AnyDimension): dimension is OfSamples {
  return (SAMPLE_DIMENSIONS as readonly AnyDimension[]).includes(dimension);
}
