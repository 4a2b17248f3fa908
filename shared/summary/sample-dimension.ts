import { scenarioOf } from '../classify/scenario.ts';
import type { StoredSample } from '../sample/sample.ts';
import { type AnyDimension, DIMENSIONS, type Filters, SAMPLE_DIMENSIONS } from './dimensions.ts';

/** One sample's value of a dimension; null where it has none (no scenario, hidden protocol, no site label). */
export function dimensionValue(sample: StoredSample, dimension: AnyDimension): string | null {
  switch (dimension) {
    case 'scenario':
      return scenarioOf(sample);
    case 'site':
      return sample.origin.site || null;
    default:
      return sample[dimension];
  }
}

/** Several values of one dimension mean "any of these"; several dimensions mean "all of these". */
export function matchesFilters(sample: StoredSample, filters: Filters): boolean {
  return [...DIMENSIONS, ...SAMPLE_DIMENSIONS].every((dimension) => {
    const wanted = filters[dimension];
    if (!wanted) return true;
    const value = dimensionValue(sample, dimension);
    return value !== null && wanted.includes(value);
  });
}
