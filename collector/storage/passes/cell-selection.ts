import { type AnyDimension, dimensionTests, type Filters } from '../../../shared/vocabulary/dimensions.ts';
import { LONG_LIVED } from '../../../shared/vocabulary/vocabulary.ts';

/** Which cells of rollups are read, and what has to tell them apart. An engine that reads more does no harm. */
export interface CellSelection {
  /** Cells that differ in other dimensions only may be read as one, which has no value in those. */
  readonly dimensions: readonly AnyDimension[];
  /** Cells have to pass all of them. */
  readonly filters: readonly Filters[];
  /** Whether cells of imported recordings are read. */
  readonly imported: boolean;
}

/** What is read of one metric. */
export interface BlockRequest {
  readonly metric: number;
  readonly selection: CellSelection;
  /** Whether only the numbers of values are read: blocks need not have the values. */
  readonly onlyCounts?: boolean;
}

/**
 * The cells that a grouping needs. Imported recordings are not live traffic, and requests that are kept open by design keep
 * no user waiting: both are included only if a query names their source or type.
 */
export function selectCells(by: readonly AnyDimension[], filters: Filters): CellSelection {
  const tested = dimensionTests(filters)
    // Cells without a value pass exclusions; a scenario follows from two dimensions, so it is tested on what was read.
    .filter(({ dimension, passes }) => dimension === 'scenario' || !passes(null))
    .map(({ dimension }) => dimension);
  return {
    dimensions: [...new Set([...by, ...tested])],
    filters: filters.type === undefined ? [filters, { 'not.type': [LONG_LIVED] }] : [filters],
    imported: filters.source !== undefined,
  };
}

/** Cells that are in both, told apart by the dimensions of both. */
export function inBoth(one: CellSelection, other: CellSelection): CellSelection {
  if (one === other) return one;
  return {
    dimensions: [...new Set([...one.dimensions, ...other.dimensions])],
    filters: [...one.filters, ...other.filters],
    imported: one.imported && other.imported,
  };
}
