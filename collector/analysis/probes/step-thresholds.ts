import { parseHttpUrl } from '../../../shared/redact/http-url.ts';
import { templateOf } from '../../../shared/redact/path-template.ts';
import type { Sample } from '../../../shared/sample/sample.ts';
import type { ProbeSettings } from '../../../shared/settings/probe-settings.ts';

/**
 * Longest time of each step that is still in order, ms, by `thresholdKey`: what the probes view compares with. null where
 * several steps would share a row of it and have different ones, or some have none: a sample keeps no port,
 * no query, no method and no number of its step.
 */
export type StepThresholds = Readonly<Record<string, number | null>>;

export function stepThresholds(probes: ProbeSettings | undefined): StepThresholds {
  const found: Record<string, number | null> = {};
  for (const { target, steps = [] } of probes?.schedule ?? []) {
    for (const { url, thresholdMs = null } of steps) {
      const address = parseHttpUrl(url);
      if (address === null) continue;
      const { scheme, hostname: host, pathname } = address;
      const key = thresholdKey({ target, scheme, host, template: templateOf(pathname) });
      found[key] = Object.hasOwn(found, key) && found[key] !== thresholdMs ? null : thresholdMs;
    }
  }
  return found;
}

/** Every app has a `/`, and a script may go to several hosts. */
export function thresholdKey({
  target,
  scheme,
  host,
  template,
}: Pick<Sample, 'target' | 'scheme' | 'host' | 'template'>) {
  return `${target} ${scheme}://${host}${template}`;
}
