import type { ScheduledProbe } from '../../../shared/settings/probe-settings.ts';

/** The longest acceptable time of each step, ms, in the order of the steps, by the journey's id; null for a step without one. */
export type StepThresholds = Readonly<Record<string, readonly (number | null)[]>>;

export function stepThresholds(
  journeys: readonly Pick<ScheduledProbe, 'id' | 'steps' | 'recording'>[],
): StepThresholds {
  return Object.fromEntries(
    journeys.map(({ id, steps, recording }) => [
      id,
      (steps ?? recording?.steps.map(({ lastbyte = {} }) => lastbyte) ?? []).map(
        ({ thresholdMs }) => thresholdMs ?? null,
      ),
    ]),
  );
}
