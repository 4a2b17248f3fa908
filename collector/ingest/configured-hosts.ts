import { parseHttpUrl } from '../../shared/redact/http-url.ts';
import { exactHost } from '../../shared/redact/match-pattern.ts';
import type { Settings } from '../../shared/settings/settings-schema.ts';

/** Hosts by target that the settings name by themselves: those of patterns without a wildcard and of probes. */
export function configuredHosts({ targets, probes }: Pick<Settings, 'targets' | 'probes'>): Map<string, Set<string>> {
  const hosts = new Map(
    targets.map(({ id, match, unlockTimings = [] }) => [
      id,
      new Set([...match.map(exactHost).filter((host) => host !== null), ...unlockTimings]),
    ]),
  );
  for (const { target, url, otherUrl, steps = [] } of probes?.schedule ?? []) {
    for (const address of [url, otherUrl, ...steps.map((step) => step.url)]) {
      const host = address === undefined ? null : (parseHttpUrl(address)?.hostname ?? null);
      if (host !== null) hosts.get(target)?.add(host);
    }
  }
  return hosts;
}
