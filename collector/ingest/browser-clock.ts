import { CLOCK_TOLERANCE_MS, MAX_TRANSIT_MS } from '../../shared/vocabulary/wire-limits.ts';

/** As many as the clock filter of NTP keeps: https://www.rfc-editor.org/rfc/rfc5905#section-10 */
const KEPT_BATCHES = 8;
/** So many batches in a row are late only if the clock is wrong. */
const ENOUGH_DIFFERENCES = 4;

/** How one batch relates the two clocks, ms. */
export interface ClockReport {
  /** The collector's clock when the request began, less the browser's when the batch was sent: offset plus transit time. */
  readonly difference: number;
  /** Times of its first and last sample by the browser's clock; when it was sent if it has none. */
  readonly first: number;
  readonly last: number;
}

/** A batch as it was stored. */
export interface CorrectedBatch {
  /** As reported; Infinity if it is not known any more. */
  readonly difference: number;
  /** Added to its times, ms. */
  readonly correction: number;
  /** Time of its last sample by the browser's clock; Infinity if it is not known any more. */
  readonly last: number;
}

/**
 * What one batch alone proves: a transit time is never negative and at most MAX_TRANSIT_MS. A difference that an upload
 * explains is none of the clock's.
 */
export function provenCorrection(difference: number): number {
  return difference < -CLOCK_TOLERANCE_MS || difference > MAX_TRANSIT_MS ? difference : 0;
}

/**
 * A browser's last batches and another one, which comes last. Of several batches the smallest difference is the one with the
 * least transit time, as in NTP's clock filter, so a slow upload moves nothing. A correction grows at once and shrinks only as
 * far as the browser's samples leave gaps: otherwise later samples would be stored before earlier ones.
 */
export function correctBatch(
  before: readonly CorrectedBatch[],
  { difference, first, last }: ClockReport,
): readonly CorrectedBatch[] {
  // Beyond a transit time only a clock that was set explains another difference.
  const known = before.map((batch) => batch.difference).filter((other) => other >= difference - MAX_TRANSIT_MS);
  const differences = [...known.filter(Number.isFinite), difference];
  const least = Math.min(...differences);
  const mayBeTransit = least > CLOCK_TOLERANCE_MS && least <= MAX_TRANSIT_MS;
  const agreed = differences.length >= ENOUGH_DIFFERENCES ? least : Math.min(before.at(-1)?.correction ?? 0, least);
  const estimate = mayBeTransit ? Math.max(agreed, 0) : provenCorrection(least);
  const slowest = before
    // More than that is no transit time: the clock was set, and so were the times of later samples.
    .filter(({ correction }) => correction - estimate <= MAX_TRANSIT_MS + CLOCK_TOLERANCE_MS)
    .map((batch) => batch.correction - Math.max(0, first - batch.last));
  return [...before, { difference, correction: Math.max(estimate, ...slowest), last }].slice(-KEPT_BATCHES);
}
