import type { StoredSample } from '../../shared/sample/sample.ts';
import type { AnyDimension, CellKey } from '../../shared/vocabulary/dimensions.ts';
import { dimensionValue } from './sample-dimension.ts';

export function toCellKey(sample: StoredSample, by: readonly AnyDimension[]): CellKey {
  const key: Partial<Record<AnyDimension, string | null>> = {};
  for (const dimension of by) key[dimension] = dimensionValue(sample, dimension);
  return key;
}

/** The order of cells in every answer: by the requested dimensions in turn, by code unit, null last. */
export function compareCellKeys(a: CellKey, b: CellKey, by: readonly AnyDimension[]): number {
  for (const dimension of by) {
    const left = a[dimension] ?? null;
    const right = b[dimension] ?? null;
    if (left === right) continue;
    if (left === null) return 1;
    if (right === null) return -1;
    return left < right ? -1 : 1;
  }
  return 0;
}
