import { parseHttpUrl } from '../redact/http-url.ts';
import type { Target } from './settings-schema.ts';

/** One header rule: responses of `requestDomains` to pages of `initiatorDomains` get `value` as Timing-Allow-Origin. */
export interface UnlockRule {
  readonly requestDomains: readonly string[];
  readonly initiatorDomains: readonly string[];
  readonly value: string;
}

const PATTERN = /^(\*|https?):\/\/(\*\.)?([^/:]+)(?::(\d+|\*))?\//;

/**
 * Rules can only match pages by domain, subdomains included. If a pattern names one host, the header lists its origins, so
 * that no other scripts see anything; `*` is used only for patterns that cover every subdomain or every port. Browsers
 * cannot match paths here, so all of the origin's pages are included.
 *
 * https://www.w3.org/TR/resource-timing/#sec-timing-allow-origin
 */
export function unlockRules(targets: readonly Pick<Target, 'match' | 'unlockTimings'>[]): UnlockRule[] {
  return targets.flatMap(({ match, unlockTimings = [] }) => {
    if (unlockTimings.length === 0) return [];
    const byDomain = new Map<string, Set<string>>();
    for (const pattern of match) {
      const [, scheme, subdomains, host, port] = PATTERN.exec(pattern) ?? [];
      if (host === undefined) continue;
      const domain = host.toLowerCase();
      const origins = byDomain.get(domain) ?? new Set();
      byDomain.set(domain, origins);
      if (subdomains !== undefined || port === '*') origins.add('*');
      else {
        const schemes = scheme === '*' ? ['http', 'https'] : [scheme];
        for (const each of schemes) {
          const origin = parseHttpUrl(`${each}://${domain}${port ? `:${port}` : ''}`)?.origin;
          if (origin !== undefined) origins.add(origin);
        }
      }
    }
    const known = [...byDomain].filter(([, origins]) => origins.size > 0);
    return known.map(([domain, origins]) => ({
      requestDomains: unlockTimings,
      initiatorDomains: [domain],
      value: origins.has('*') ? '*' : [...origins].join(', '),
    }));
  });
}
