import { dimensionValue } from '../../../collector/reductions/sample-dimension.ts';
import type { StoredSample } from '../../../shared/sample/sample.ts';
import { DIMENSIONS, type Filters, SAMPLE_DIMENSIONS, toExclusionName } from '../../../shared/vocabulary/dimensions.ts';

/** Several values of one dimension mean "any of these", or "none of these" if excluded; several filters, "all of these". */
export function matchesFilters(sample: StoredSample, filters: Filters): boolean {
  return [...DIMENSIONS, ...SAMPLE_DIMENSIONS].every((dimension) => {
    const wanted = filters[dimension];
    const unwanted = filters[toExclusionName(dimension)] ?? [];
    const value = dimensionValue(sample, dimension);
    if (value === null) return wanted === undefined;
    return wanted?.includes(value) !== false && !unwanted.includes(value);
  });
}
