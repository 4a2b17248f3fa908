import type { BrowserEngine } from '../vocabulary/vocabulary.ts';
import type { Measured } from './set-up-split.ts';
import type { Stamps } from './stamps.ts';

/** Two rounded stamps lie up to one step further apart than the truth; less than this cannot hide a lookup, steps. */
const HIDING_STEPS = 2;

export interface LookupClues {
  readonly engine: BrowserEngine;
  readonly clockStepMs: number;
  /** The host is an address: there is nothing to look up. */
  readonly literalAddress: boolean;
}

/**
 * `domainLookupEnd − domainLookupStart`, unless Firefox may have put the lookup before domainLookupStart, where the
 * DNS phase reads 0 while the time sits in the gap after fetchStart (seen in 3 of 4 runs with a 40 ms resolver). Then
 * `dns` is null, and `blocked`, which holds that gap by definition, is "blocked and DNS". A lookup cannot hide where the gap
 * is too short, or the host is an address.
 *
 * That the origin answered a moment ago proves nothing: the answer may have come over a connection kept for an hour, while
 * Firefox' own DNS cache counts its minute from the lookup.
 */
export function placeDns(stamps: Stamps, clues: LookupClues): Measured {
  const dns = stamps.domainLookupEnd - stamps.domainLookupStart;
  if (clues.engine !== 'firefox' || dns > 0) return dns;
  const gap = stamps.connectStart - stamps.fetchStart;
  if (gap <= HIDING_STEPS * clues.clockStepMs * 1000) return dns;
  return clues.literalAddress ? dns : 'firefox_dns';
}
