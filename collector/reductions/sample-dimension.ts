import type { ClientInfo, StoredSample } from '../../shared/sample/sample.ts';
import { toScenario } from '../../shared/sample/scenario.ts';
import type { AnyDimension } from '../../shared/vocabulary/dimensions.ts';

/** One sample's value of a dimension; null if it has none (no scenario, hidden protocol, no site label). */
export function dimensionValue(sample: StoredSample, dimension: AnyDimension): string | null {
  switch (dimension) {
    case 'scenario':
      return toScenario(sample);
    case 'site':
      return sample.origin.site || null;
    case 'browser':
    case 'browserVersion':
    case 'extension':
      return originWord(sample.origin, dimension);
    case 'journey':
      return sample.journey ?? null;
    case 'journeyStep':
      return sample.step == null ? null : String(sample.step);
    default:
      return sample[dimension];
  }
}

/** A dimension of the browser, not of the request. Minor versions come weekly: only major ones are distinguished. */
export function originWord(
  { browser, browserVersion, extensionVersion }: ClientInfo,
  dimension: 'browser' | 'browserVersion' | 'extension',
): string {
  switch (dimension) {
    case 'browser':
      return browser;
    case 'browserVersion':
      return `${browser} ${browserVersion.split('.')[0]}`;
    case 'extension':
      return extensionVersion;
  }
}
