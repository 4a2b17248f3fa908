import type { ScheduledProbe } from '../../../shared/settings/probe-settings.ts';

export interface JourneyRules {
  /** The longest acceptable time of each step, ms, in the order of the steps, by the journey's id; null for a step without one. */
  readonly thresholds: Readonly<Record<string, readonly (number | null)[]>>;
  /** Ids of recordings: only browsers that no person uses replay those, so they are shown however few they are. */
  readonly recorded: readonly string[];
}

export function journeyRules(schedule: readonly Pick<ScheduledProbe, 'id' | 'steps' | 'recording'>[]): JourneyRules {
  const thresholds = schedule.map(({ id, steps, recording }) => {
    const limits = steps ?? recording?.steps.map(({ lastbyte = {} }) => lastbyte) ?? [];
    return [id, limits.map(({ thresholdMs }) => thresholdMs ?? null)] as const;
  });
  const recorded = schedule.flatMap(({ id, recording }) => (recording ? [id] : []));
  return { thresholds: Object.fromEntries(thresholds), recorded };
}
