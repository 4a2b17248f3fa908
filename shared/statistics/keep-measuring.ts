/** Fewer samples than this are no fact. */
export const MIN_SAMPLES = 30;
/** (p75 − p25) / median above this: the quartiles are far apart. */
export const MAX_QUARTILE_SPREAD = 0.5;
/** Interval of the median wider than this part of the median. */
export const MAX_INTERVAL_WIDTH = 0.1;

export type KeepMeasuringReason = 'few_samples' | 'wide_quartiles' | 'wide_interval';

export interface MedianEvidence {
  readonly n: number;
  readonly p25: number;
  readonly median: number;
  readonly p75: number;
  readonly medianInterval: readonly [number, number] | null;
}

/** Why a median should not be taken for a fact yet; empty when it can stand. Any unit, the same for all values. */
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
