/** Both clocks, read one after another in milliseconds: `performance.now()`, `Date.now()`, `performance.now()`. */
export interface ClockReading {
  readonly before: number;
  readonly wall: number;
  readonly after: number;
}

/** What one of the two may be off by: the wall's is whole milliseconds, and Firefox' both are, rounded either way. */
const STEP_MS = 1;

/**
 * Epoch milliseconds of a document's zero as the wall clock has it now. `performance.timeOrigin` never changes and
 * `performance.now()` ticks on its own (https://www.w3.org/TR/hr-time-3/#sec-clocks): a wall clock that was set or is being
 * put right, and a machine that slept, part the two. webRequest's times are the wall's; milliseconds decide whether they
 * are found again and, in Firefox, what `wait` is. Kept where the reading allows it, else the middle of what it allows; of a
 * document whose turn ended between two of the readings little is known, and no more is taken than is certain.
 */
export function wallOrigin(timeOrigin: number, { before, wall, after }: ClockReading): number {
  const earliest = wall - after - STEP_MS;
  const latest = wall - before + STEP_MS;
  const inside = Math.min((latest - earliest) / 2, STEP_MS);
  if (timeOrigin < earliest) return earliest + inside;
  return timeOrigin > latest ? latest - inside : timeOrigin;
}

/** The same for this document, or this worker. */
export function originNow(): number {
  const before = performance.now();
  const wall = Date.now();
  return wallOrigin(performance.timeOrigin, { before, wall, after: performance.now() });
}
