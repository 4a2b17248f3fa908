import { withoutPort } from '../redact/match-pattern.ts';
import type { ScheduledProbe } from './probe-settings.ts';
import type { ExtensionSettings, Target } from './settings-schema.ts';

/**
 * The hosts a browser must be allowed to access for this target: its own pages, and the hosts whose timings are unlocked for
 * them, in the form of both browsers' permissions.
 */
export function targetPermissions(target: Pick<Target, 'match' | 'unlockTimings'>): string[] {
  const pages = target.match.map(withoutPort);
  const unlocked = (target.unlockTimings ?? []).flatMap((host) => [`http://*.${host}/*`, `https://*.${host}/*`]);
  return [...new Set([...pages, ...unlocked])];
}

/**
 * Whether header rules are needed, which Chromium only grants on request (extension/network-permissions.ts). They unlock
 * timings, mark a probe's requests and close their connections.
 */
export function needsNetwork(
  targets: readonly Pick<Target, 'unlockTimings'>[],
  schedule: readonly Pick<ScheduledProbe, 'id'>[],
): boolean {
  return schedule.length > 0 || targets.some(({ unlockTimings = [] }) => unlockTimings.length > 0);
}

/** Those that a browser may have to run: recordings are a robot's. */
export function ownProbes(settings: ExtensionSettings | null, isRobot: boolean): readonly ScheduledProbe[] {
  const { enabled = false, schedule = [], journeys = [] } = settings?.probes ?? {};
  if (!enabled) return [];
  return isRobot ? [...schedule, ...journeys] : schedule;
}
