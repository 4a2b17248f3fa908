/** Fewer samples than this are not enough for a conclusion. */
export const MIN_SAMPLES = 30;
/** (p75 − p25) / median above this: the quartiles are far apart. */
export const MAX_QUARTILE_SPREAD = 0.5;
/** The median's interval is wider than this share of the median. */
export const MAX_INTERVAL_WIDTH = 0.1;

export type KeepMeasuringReason = 'few_samples' | 'wide_quartiles' | 'wide_interval';

export interface MedianEvidence {
  readonly n: number;
  readonly p25: number;
  readonly median: number;
  readonly p75: number;
  readonly medianInterval: readonly [number, number] | null;
}

/** Why a median is not yet reliable; empty if it is. Any unit, the same for all values. */
export function keepMeasuring(evidence: MedianEvidence): readonly KeepMeasuringReason[] {
  const { n, p25, median, p75, medianInterval } = evidence;
  const reasons: KeepMeasuringReason[] = [];
  if (n < MIN_SAMPLES) reasons.push('few_samples');
  // Products instead of quotients: a median of 0 has no relative spread, but any spread around it is wide.
  if (p75 - p25 > MAX_QUARTILE_SPREAD * Math.abs(median)) reasons.push('wide_quartiles');
  if (medianInterval && medianInterval[1] - medianInterval[0] > MAX_INTERVAL_WIDTH * Math.abs(median)) {
    reasons.push('wide_interval');
  }
  return reasons;
}
