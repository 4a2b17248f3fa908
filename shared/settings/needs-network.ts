import type { ScheduledProbe } from './probe-settings.ts';
import type { Target } from './settings-schema.ts';

/**
 * Whether header rules are needed, which Chromium gives on request only (extension/network-permissions.ts): they unlock timings,
 * and mark a probe's requests and end their connections.
 */
export function needsNetwork(
  targets: readonly Pick<Target, 'unlockTimings'>[],
  schedule: readonly Pick<ScheduledProbe, 'id'>[],
): boolean {
  return schedule.length > 0 || targets.some(({ unlockTimings = [] }) => unlockTimings.length > 0);
}
