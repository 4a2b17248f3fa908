/**
 * Steps of browsers' timers, µs: 5 and 100 in Chromium (isolated pages and others), 20 and 1000 in Firefox, and up to 100 ms
 * where it resists fingerprinting. The last is the largest that a batch may name.
 */
export const CLOCK_STEPS = [5, 20, 100, 1_000, 2_000, 16_667, 100_000, 1_000_000] as const;
export const MAX_CLOCK_STEP = CLOCK_STEPS[CLOCK_STEPS.length - 1] as number;

/**
 * The step that a batch is stored with. Rollups count each under a word that is kept for good, so there are only a few: one
 * that no browser has is rounded up, which never makes a difference look measurable that is not.
 */
export function knownClockStep(step: number): number {
  return CLOCK_STEPS.find((known) => known >= step) ?? MAX_CLOCK_STEP;
}
