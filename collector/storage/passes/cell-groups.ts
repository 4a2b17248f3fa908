import { type AnyDimension, SAMPLE_DIMENSIONS } from '../../../shared/vocabulary/dimensions.ts';
import type { CellCatalog } from '../rollups/cell-catalog.ts';
import { dimensionOf } from '../rollups/cell-dimensions.ts';

/** A key's words as one text. */
export function groupId(words: readonly (string | null)[]): string {
  return JSON.stringify(words);
}

/** The cells of a catalog grouped by some dimensions. */
export interface CellGroups {
  /** By cell, the place of its group in the lists below. */
  readonly codes: readonly number[];
  readonly keys: readonly (readonly (string | null)[])[];
  /** Of the words: see `groupId`. */
  readonly ids: readonly string[];
}

interface Growing extends CellGroups {
  readonly codes: number[];
  readonly keys: (string | null)[][];
  readonly ids: string[];
  readonly places: Map<string, number>;
}

/** Questions come in a few shapes; more than so many are not kept. */
const MAX_KEPT = 32;
const kept = new WeakMap<CellCatalog, Map<string, Growing>>();

/**
 * Every cell's group: found out once for a catalog and then only for the cells that have come since, since a question is
 * often answered in less time than the words of all cells take to be looked at.
 */
export function groupCells(catalog: CellCatalog, by: readonly AnyDimension[]): CellGroups {
  const name = by.join();
  const all = kept.get(catalog) ?? new Map<string, Growing>();
  kept.set(catalog, all);
  const groups: Growing = all.get(name) ?? { codes: [-1], keys: [], ids: [], places: new Map() };
  if (!all.has(name) && all.size >= MAX_KEPT) all.clear();
  all.set(name, groups);
  for (let cell = groups.codes.length; cell <= catalog.cells; cell++) groups.codes.push(codeOf(cell));
  return groups;

  function codeOf(cell: number): number {
    const words = catalog.dimensionsOf(cell);
    // Numbers are handed out without gaps; a damaged store may have some.
    if (words === undefined) return -1;
    const own = by.map((dimension) => {
      if (isOfSamples(dimension)) throw new RangeError('No rollup knows templates.');
      return dimensionOf(words, dimension);
    });
    const id = groupId(own);
    const known = groups.places.get(id);
    if (known !== undefined) return known;
    const place = groups.keys.push(own) - 1;
    groups.ids.push(id);
    groups.places.set(id, place);
    return place;
  }
}

type OfSamples = (typeof SAMPLE_DIMENSIONS)[number];

export function isOfSamples(dimension: AnyDimension): dimension is OfSamples {
  return (SAMPLE_DIMENSIONS as readonly AnyDimension[]).includes(dimension);
}
