/** Readings of both clocks in succession, ms: `performance.now()`, `Date.now()`, `performance.now()`. */
export interface ClockReading {
  readonly before: number;
  readonly wall: number;
  readonly after: number;
}

/** How far either clock may be off: the wall clock has whole milliseconds, and in Firefox both do, rounded either way. */
const STEP_MS = 1;

/**
 * A document's time origin by the present wall clock, epoch milliseconds. `performance.timeOrigin` never changes and
 * `performance.now()` ticks on its own (https://www.w3.org/TR/hr-time-3/#sec-clocks), so the two diverge when the wall clock
 * is set or slewed, or the machine sleeps. webRequest uses wall time, and milliseconds decide whether requests are matched
 * and, in Firefox, what `wait` is. Returns `timeOrigin` if the reading allows it, else a value inside the range it allows.
 * If the thread was interrupted between two of the readings that range is wide, and the correction is no larger than is
 * certain.
 */
export function wallOrigin(timeOrigin: number, { before, wall, after }: ClockReading): number {
  const earliest = wall - after - STEP_MS;
  const latest = wall - before + STEP_MS;
  const inside = Math.min((latest - earliest) / 2, STEP_MS);
  if (timeOrigin < earliest) return earliest + inside;
  return timeOrigin > latest ? latest - inside : timeOrigin;
}

/** The same for this document or worker. */
export function originNow(): number {
  const before = performance.now();
  const wall = Date.now();
  return wallOrigin(performance.timeOrigin, { before, wall, after: performance.now() });
}
