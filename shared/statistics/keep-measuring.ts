/** Fewer samples than this are not enough for a conclusion. */
export const MIN_SAMPLES = 30;
/** Fewer browsers than this are not enough: samples of one browser share its path and machine. */
export const MIN_BROWSERS = 5;
/** The median's interval is wider than this share of the median. */
export const MAX_INTERVAL_WIDTH = 0.1;
/** (p75 − p25) / median above this: times vary widely. */
export const MAX_QUARTILE_SPREAD = 0.5;

export type KeepMeasuringReason = 'few_samples' | 'few_browsers' | 'wide_interval';

export interface MedianEvidence {
  readonly n: number;
  /** null if unknown, or if a single browser is the subject. */
  readonly browsers: number | null;
  readonly median: number;
  readonly medianInterval: readonly [number, number] | null;
}

/** Why a median is not yet reliable; empty if it is. Any unit, the same for all values. */
export function keepMeasuring({ n, browsers, median, medianInterval }: MedianEvidence): readonly KeepMeasuringReason[] {
  const reasons: KeepMeasuringReason[] = [];
  if (n < MIN_SAMPLES) reasons.push('few_samples');
  if (browsers !== null && browsers < MIN_BROWSERS) reasons.push('few_browsers');
  if (medianInterval && medianInterval[1] - medianInterval[0] > MAX_INTERVAL_WIDTH * Math.abs(median)) {
    reasons.push('wide_interval');
  }
  return reasons;
}

interface Quartiles {
  readonly p25: number;
  readonly median: number;
  readonly p75: number;
}

/**
 * Whether the quartiles are far apart. That is how times of real fleets are, however many are measured, so it is no
 * reason to measure more.
 */
export function variesWidely({ p25, median, p75 }: Quartiles): boolean {
  // A product instead of a quotient: a median of 0 has no relative spread, but any spread around it is wide.
  return p75 - p25 > MAX_QUARTILE_SPREAD * Math.abs(median);
}
