import { withoutPort } from '../redact/match-pattern.ts';
import type { ScheduledProbe } from './probe-settings.ts';
import type { Target } from './settings-schema.ts';

/**
 * What a browser must be allowed to reach for this target: its own pages, and the hosts whose times are unlocked for
 * them, in the form that both browsers' permissions take.
 */
export function targetPermissions(target: Pick<Target, 'match' | 'unlockTimings'>): string[] {
  const pages = target.match.map(withoutPort);
  const unlocked = (target.unlockTimings ?? []).flatMap((host) => [`http://*.${host}/*`, `https://*.${host}/*`]);
  return [...new Set([...pages, ...unlocked])];
}

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
