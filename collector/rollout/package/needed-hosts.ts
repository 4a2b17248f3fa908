import { hostPatterns } from '../../../shared/probes/host-patterns.ts';
import { hostPermission } from '../../../shared/redact/match-pattern.ts';
import type { Settings } from '../../../shared/settings/settings-schema.ts';
import { targetPermissions } from '../../../shared/settings/target-permissions.ts';

/** Match patterns of what browsers measure and probe: per target, and those of the probes. */
export function neededHosts({ targets, probes }: Settings): { readonly match: string[] }[] {
  return [
    ...targets.map((target) => ({ match: targetPermissions(target) })),
    { match: probes?.schedule.flatMap(hostPatterns) ?? [] },
  ];
}

/** The host permissions that settings need and a package lacks: `packaged` are those of its manifest. */
export function missingHosts(settings: Settings, packaged: readonly string[]): string[] {
  const needed = neededHosts(settings).flatMap(({ match }) => match.map(hostPermission));
  return [...new Set(needed)].filter((one) => !packaged.some((other) => covers(other, one))).sort();
}

const PERMISSION = /^(\*|https?):\/\/([^/]+)\/\*$/;

/** Whether everything that `narrow` matches is matched by `wide`; both are host permissions. */
function covers(wide: string, narrow: string): boolean {
  const [, wideScheme, wideHost = ''] = PERMISSION.exec(wide) ?? [];
  const [, scheme, host = ''] = PERMISSION.exec(narrow) ?? [];
  if (wideScheme !== '*' && wideScheme !== scheme) return false;
  if (wideHost === host) return true;
  return wideHost.startsWith('*.') && (host === wideHost.slice(2) || host.endsWith(wideHost.slice(1)));
}
