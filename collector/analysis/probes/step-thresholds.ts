import { parseHttpUrl } from '../../../shared/redact/http-url.ts';
import { templateOf } from '../../../shared/redact/path-template.ts';
import type { Sample } from '../../../shared/sample/sample.ts';
import type { ProbeSettings } from '../../../shared/settings/probe-settings.ts';

/**
 * The longest acceptable time of each step, ms, by `thresholdKey`, for the probes view. null if several steps share a
 * row of that view and their thresholds differ or are partly missing: a sample keeps no port, query, method or step
 * number.
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

/** Every app has a `/`, and a script may visit several hosts. */
export function thresholdKey({
  target,
  scheme,
  host,
  template,
}: Pick<Sample, 'target' | 'scheme' | 'host' | 'template'>) {
  return `${target} ${scheme}://${host}${template}`;
}
