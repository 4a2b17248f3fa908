import { parseHttpUrl } from '../redact/http-url.ts';
import { templateOf } from '../redact/path-template.ts';
import type { ProbeSettings } from '../settings/probe-settings.ts';

/** Longest time of each step that is still in order, ms, by `thresholdKey`: what the probes view compares with. */
export function stepThresholds(probes: ProbeSettings | undefined): Record<string, number> {
  const steps = probes?.schedule.flatMap(({ target, steps = [] }) => steps.map((step) => ({ target, ...step }))) ?? [];
  return Object.fromEntries(
    steps.flatMap(({ target, url, thresholdMs }) => {
      const path = parseHttpUrl(url)?.pathname;
      return path === undefined || thresholdMs === undefined
        ? []
        : [[thresholdKey(target, templateOf(path)), thresholdMs]];
    }),
  );
}

/** Every app has a `/`. @param target an id, which has no spaces */
export function thresholdKey(target: string, template: string): string {
  return `${target} ${template}`;
}
