import type { Engine } from './entry-context.ts';
import type { Measured } from './set-up-split.ts';
import type { Stamps } from './stamps.ts';

/**
 * Firefox answers from its own DNS cache for at least this long after a lookup (`network.dnsCacheExpiration`, and a
 * grace period of the same length in which it renews behind the scenes), ms.
 */
const FIREFOX_DNS_CACHE_MS = 60_000;

/** Two rounded stamps lie up to one step further apart than the truth; less than this cannot hide a lookup, steps. */
const HIDING_STEPS = 2;

export interface LookupClues {
  readonly engine: Engine;
  readonly clockStepMs: number;
  /** Time since this browser's last answer from the same origin; null if there was none that we know of. */
  readonly idleMs: number | null;
  /** The host is an address: there is nothing to look up. */
  readonly literalAddress: boolean;
}

/**
 * `domainLookupEnd − domainLookupStart`, unless Firefox may have put the lookup before domainLookupStart, where the
 * DNS phase reads 0 while the time sits in the gap after fetchStart (seen in 3 of 4 runs with a 40 ms resolver). Then
 * `dns` is null, and `blocked`, which holds that gap by definition, is "blocked and DNS". A lookup cannot hide where the gap
 * is too short, the host is an address, or the same origin answered a moment ago.
 */
export function placeDns(stamps: Stamps, clues: LookupClues): Measured {
  const dns = stamps.domainLookupEnd - stamps.domainLookupStart;
  if (clues.engine !== 'firefox' || dns > 0) return dns;
  const gap = stamps.connectStart - stamps.fetchStart;
  if (gap <= HIDING_STEPS * clues.clockStepMs * 1000) return dns;
  if (clues.literalAddress) return dns;
  if (clues.idleMs !== null && clues.idleMs < FIREFOX_DNS_CACHE_MS) return dns;
  return 'firefox_dns';
}
