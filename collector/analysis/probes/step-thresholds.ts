import { parseHttpUrl } from '../../../shared/redact/http-url.ts';
import { toTemplate } from '../../../shared/redact/path-template.ts';
import type { Sample } from '../../../shared/sample/sample.ts';

/**
 * The longest acceptable time of each step, ms, by `thresholdKey`, for the probes view; steps without one are absent. null if several
 * steps share a row of that view and their thresholds differ or are partly missing: a sample keeps no port, query, method or
 * step number.
 */
export type StepThresholds = Readonly<Record<string, number | null>>;

/** What of a probe matters: also of one that is being written. */
interface ProbeSteps {
  readonly target: string;
  readonly steps?: readonly { readonly url: string; readonly thresholdMs?: number }[];
}

export function stepThresholds(schedule: readonly ProbeSteps[]): StepThresholds {
  const found = new Map<string, Set<number | undefined>>();
  for (const { target, steps = [] } of schedule) {
    for (const { url, thresholdMs } of steps) {
      const address = parseHttpUrl(url);
      if (address === null) continue;
      const { scheme, hostname: host, pathname } = address;
      const key = thresholdKey({ target, scheme, host, template: toTemplate(pathname) });
      found.set(key, (found.get(key) ?? new Set()).add(thresholdMs));
    }
  }
  return Object.fromEntries(
    [...found].flatMap(([key, [first, ...others]]): [string, number | null][] =>
      others.length > 0 ? [[key, null]] : first === undefined ? [] : [[key, first]],
    ),
  );
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
