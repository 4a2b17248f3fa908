/** Both clocks, read one after another in milliseconds: `performance.now()`, `Date.now()`, `performance.now()`. */
export interface ClockReading {
  readonly before: number;
  readonly wall: number;
  readonly after: number;
}

/** Both clocks round down: the wall's to whole milliseconds, the document's to no more (Firefox). */
const STEP_MS = 1;

/**
 * Epoch milliseconds of a document's zero as the wall clock has it now. `performance.timeOrigin` never changes and
 * `performance.now()` ticks on its own (https://www.w3.org/TR/hr-time-3/#sec-clocks): a wall clock that was set or is being
 * put right, and a machine that slept, part the two. webRequest's times are the wall's; milliseconds decide whether they
 * are found again and, in Firefox, what `wait` is. Kept where the reading allows it, else the nearest it allows: of a
 * document whose turn ended between two of the readings little is known.
 */
export function wallOrigin(timeOrigin: number, { before, wall, after }: ClockReading): number {
  const earliest = wall - after - STEP_MS;
  const latest = wall - before + STEP_MS;
  return Math.min(Math.max(timeOrigin, earliest), latest);
}

/** The same for this document, or this worker. */
export function originNow(): number {
  const before = performance.now();
  const wall = Date.now();
  return wallOrigin(performance.timeOrigin, { before, wall, after: performance.now() });
}
