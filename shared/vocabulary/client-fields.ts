import { isPlainText } from './plain-text.ts';

/** The coarsest timer step a batch may state, µs. */
export const MAX_CLOCK_STEP = 1_000_000;
/**
 * Steps of browsers' timers, µs: 5 and 100 in Chromium (isolated pages and others), 20 and 1000 in Firefox, up to 100 ms
 * where it resists fingerprinting.
 */
export const CLOCK_STEPS = [5, 20, 100, 1_000, 2_000, 16_667, 100_000, MAX_CLOCK_STEP] as const;

/**
 * The step a batch is stored with. Rollups keep every distinct step permanently, so only a few are allowed; any other
 * is rounded up, which never makes a difference look measurable that is not.
 */
export function knownClockStep(step: number): number {
  return CLOCK_STEPS.find((known) => known >= step) ?? MAX_CLOCK_STEP;
}

export const MAX_SITE_LENGTH = 100;

/** Whether a text can label where browsers are. */
export function isSiteLabel(site: string): boolean {
  return site.length <= MAX_SITE_LENGTH && isPlainText(site);
}
