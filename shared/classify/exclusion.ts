import type { Connection, Exclusion } from '../vocabulary/vocabulary.ts';

export interface ExclusionFacts {
  readonly connection: Connection;
  /** The stamps could not be subtracted. */
  readonly invalid: boolean;
  /** HTTP status; null if the browser hides it. */
  readonly status: number | null;
  readonly redirected: boolean;
  /** The browser had to answer a challenge first. */
  readonly challenged: boolean;
  /** One of a probe's warm-up requests. */
  readonly warmup: boolean;
  readonly hidden: boolean;
  readonly bfcache: boolean;
  readonly prerender: boolean;
}

/**
 * Why a sample is excluded from timing statistics, exactly one reason: the first in this order. What happened to the request
 * itself takes precedence over the state of its document. `opaque` and `cache` are evidence classes of their own and need no
 * reason.
 */
export function findExclusion(facts: ExclusionFacts): Exclusion | null {
  if (facts.connection === 'failed') return 'failed';
  if (facts.invalid) return 'invalid';
  if (facts.connection === 'worker') return 'worker';
  if (facts.connection === 'opaque' || facts.connection === 'cache') return null;
  // 304 reads 200 in both browsers; should one ever report it, it is a response and not a redirect.
  if (isRedirectStatus(facts.status)) return 'redirect';
  if (facts.status !== null && (facts.status < 200 || facts.status >= 400)) return 'status';
  if (facts.redirected) return 'redirect';
  if (facts.challenged) return 'challenge';
  if (facts.warmup) return 'warmup';
  // A page is hidden while it is prerendered.
  if (facts.prerender) return 'prerender';
  if (facts.hidden) return 'hidden';
  return facts.bfcache ? 'bfcache' : null;
}

/** 304 is not a redirect: https://www.rfc-editor.org/rfc/rfc9110#section-15.4 */
export function isRedirectStatus(status: number | null): status is number {
  return status !== null && status >= 300 && status < 400 && status !== 304;
}
