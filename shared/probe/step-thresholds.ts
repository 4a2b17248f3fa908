import { parseHttpUrl } from '../redact/http-url.ts';
import { templateOf } from '../redact/path-template.ts';
import type { ProbeSettings } from '../settings/probe-settings.ts';

/** Longest time of each step that is still in order, ms, by its template: what the probes view compares with. */
export function stepThresholds(probes: ProbeSettings | undefined): Record<string, number> {
  const steps = probes?.schedule.flatMap((probe) => probe.steps ?? []) ?? [];
  return Object.fromEntries(
    steps.flatMap(({ url, thresholdMs }) => {
      const path = parseHttpUrl(url)?.pathname;
      return path === undefined || thresholdMs === undefined ? [] : [[templateOf(path), thresholdMs]];
    }),
  );
}
