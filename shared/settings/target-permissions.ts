import { withoutPort } from '../redact/match-pattern.ts';
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
