/** Two clocks that differ by less only tick differently, ms. */
const TOLERANCE_MS = 1_000;

/**
 * Epoch milliseconds of a document's zero as the wall clock has it now. `performance.timeOrigin` never changes, so a clock
 * that was set, or a machine that slept, would give every later request a wrong hour.
 */
export function wallOrigin(timeOrigin: number, performanceNow: number, wallNow: number): number {
  const origin = wallNow - performanceNow;
  return Math.abs(origin - timeOrigin) > TOLERANCE_MS ? origin : timeOrigin;
}
