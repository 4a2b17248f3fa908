import { MIN_BROWSERS, MIN_SAMPLES } from './keep-measuring.ts';

export const NOT_COMPARED = ['not_measured', 'few_samples', 'few_browsers'] as const;
/** Why two groups are not compared. */
export type NotCompared = (typeof NOT_COMPARED)[number];

export interface ComparedGroup {
  /** Measured values. */
  readonly n: number;
  /** null if unknown, or if the browsers were chosen (probes, recordings, a single browser as the subject). */
  readonly browsers: number | null;
}

/**
 * Whether groups may be compared at all: with fewer than 30 values or 5 browsers on a side, any difference may be that of
 * a few requests or of one slow machine. Everything that claims a difference asks this first.
 *
 * @returns null if they may be compared
 */
export function whyNotCompared(...groups: readonly ComparedGroup[]): NotCompared | null {
  if (groups.some(({ n }) => n === 0)) return 'not_measured';
  if (groups.some(({ n }) => n < MIN_SAMPLES)) return 'few_samples';
  return groups.some(({ browsers }) => browsers !== null && browsers < MIN_BROWSERS) ? 'few_browsers' : null;
}
