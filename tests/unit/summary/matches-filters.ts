import { dimensionValue } from '../../../collector/reductions/sample-dimension.ts';
import type { StoredSample } from '../../../shared/sample/sample.ts';
import { DIMENSIONS, type Filters, SAMPLE_DIMENSIONS } from '../../../shared/vocabulary/dimensions.ts';

/** Several values of one dimension mean "any of these"; several dimensions mean "all of these". */
export function matchesFilters(sample: StoredSample, filters: Filters): boolean {
  return [...DIMENSIONS, ...SAMPLE_DIMENSIONS].every((dimension) => {
    const wanted = filters[dimension];
    if (!wanted) return true;
    const value = dimensionValue(sample, dimension);
    return value !== null && wanted.includes(value);
  });
}
