import { type AnyDimension, SAMPLE_DIMENSIONS } from '../../../shared/vocabulary/dimensions.ts';
import type { CellCatalog } from '../rollups/cell-catalog.ts';
import { dimensionOf } from '../rollups/cell-dimensions.ts';

/** A key's values as one text. */
export function groupId(values: readonly (string | null)[]): string {
  return JSON.stringify(values);
}

/** The cells of a catalog grouped by some dimensions. */
export interface CellGroups {
  /** By cell, the index of its group in the lists below. */
  readonly codes: readonly number[];
  readonly keys: readonly (readonly (string | null)[])[];
  /** The `groupId` of each key. */
  readonly ids: readonly string[];
}

interface Growing extends CellGroups {
  readonly codes: number[];
  readonly keys: (string | null)[][];
  readonly ids: string[];
  readonly indices: Map<string, number>;
}

/** Groupings kept per catalog: questions use only a few. */
const MAX_KEPT = 32;
const kept = new WeakMap<CellCatalog, Map<string, Growing>>();

/**
 * Every cell's group, computed once per catalog and then only for new cells: a question is often answered in less time than
 * it takes to look at all cells.
 */
export function groupCells(catalog: CellCatalog, by: readonly AnyDimension[]): CellGroups {
  const name = by.join();
  const all = kept.get(catalog) ?? new Map<string, Growing>();
  kept.set(catalog, all);
  const groups: Growing = all.get(name) ?? { codes: [-1], keys: [], ids: [], indices: new Map() };
  if (!all.has(name) && all.size >= MAX_KEPT) all.clear();
  all.set(name, groups);
  for (let cell = groups.codes.length; cell <= catalog.cells; cell++) groups.codes.push(codeOf(cell));
  return groups;

  function codeOf(cell: number): number {
    const values = catalog.dimensionsOf(cell);
    // Cells are numbered without gaps, but a damaged store may have some.
    if (values === undefined) return -1;
    const own = by.map((dimension) => {
      if (isOfSamples(dimension)) throw new RangeError('No rollup knows templates.');
      return dimensionOf(values, dimension);
    });
    const id = groupId(own);
    const known = groups.indices.get(id);
    if (known !== undefined) return known;
    const index = groups.keys.push(own) - 1;
    groups.ids.push(id);
    groups.indices.set(id, index);
    return index;
  }
}

type OfSamples = (typeof SAMPLE_DIMENSIONS)[number];

export function isOfSamples(dimension: AnyDimension): dimension is OfSamples {
  return (SAMPLE_DIMENSIONS as readonly AnyDimension[]).includes(dimension);
}
