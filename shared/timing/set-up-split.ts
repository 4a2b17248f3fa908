import type { BrowserEngine, UnknownReason } from '../vocabulary/vocabulary.ts';
import type { EntryContext } from './entry-context.ts';
import type { Stamps } from './stamps.ts';

/** Microseconds, or the reason why they are unknown. */
export type Measured = number | UnknownReason;

export interface SetUpSplit {
  readonly tcp: Measured;
  readonly tls: Measured;
}

/**
 * Splits connectStart → connectEnd, which includes TLS.
 * https://www.w3.org/TR/resource-timing/#dom-performanceresourcetiming-connectend secureConnectionStart is 0 on plain HTTP,
 * where subtracting it unguarded would give a point in time.
 *
 * Each part is only reported if its first stamp is proven to belong to the connection; docs/measurement.md has the figures.
 */
export function splitSetUp(stamps: Stamps, secure: boolean, protocol: string, context: EntryContext): SetUpSplit {
  const { connectStart, secureConnectionStart, connectEnd } = stamps;
  const connect = connectEnd - connectStart;
  if (connect === 0) return { tcp: 0, tls: secure ? 0 : 'plain_http' };
  const doubt = doubtOf(stamps, context);
  if (!secure) return { tcp: doubt ?? connect, tls: 'plain_http' };
  if (isHttp3(protocol)) return { tcp: 'merged_h3', tls: connect };
  if (secureConnectionStart === 0) return { tcp: 'no_tls_stamp', tls: 'no_tls_stamp' };
  if (secureConnectionStart === connectStart) {
    if (protocol === '') return { tcp: 'merged_h3', tls: connect };
    if (doubt === 'begun_earlier') return { tcp: doubt, tls: doubt };
  }
  return { tcp: doubt ?? secureConnectionStart - connectStart, tls: connectEnd - secureConnectionStart };
}

/**
 * Why connectStart may not be when the connection was opened; null if it is proven to be.
 *
 * Chromium moves all stamps of a connection from before the request to the point where the request began to wait; stamps
 * that differ from the preceding one were not moved. Firefox leaves connectStart at fetchStart if it does not know it,
 * however long the request was queued.
 */
function doubtOf(stamps: Stamps, { engine, alone = false }: EntryContext): UnknownReason | null {
  if (engine === 'firefox') return stamps.connectStart > stamps.fetchStart ? null : 'queued';
  return alone || stamps.connectStart > stamps.domainLookupStart ? null : 'begun_earlier';
}

/** `h3`, its drafts (`h3-29`) and Google's predecessor (`hq-…`). https://www.rfc-editor.org/rfc/rfc9114#section-3.1 */
export function isHttp3(protocol: string): boolean {
  return /^(h3|hq)(-|$)/i.test(protocol);
}

/** Rounded stamps may be one step further apart than the truth; a gap of this many steps or fewer hides no lookup. */
const HIDING_STEPS = 2;

export interface LookupClues {
  readonly engine: BrowserEngine;
  readonly clockStepMs: number;
  /** The host is an IP address, so there is no lookup. */
  readonly literalAddress: boolean;
}

/**
 * `domainLookupEnd − domainLookupStart`, unless Firefox may have put the lookup before domainLookupStart, where the DNS
 * phase reads 0 while the time is in the gap after fetchStart (seen in 3 of 4 runs with a 40 ms resolver). Then `dns`
 * is null, and `blocked`, which includes that gap by definition, means "blocked and DNS". A lookup cannot hide if the
 * gap is too short or the host is an IP address.
 *
 * A recent response from the origin proves nothing: it may have come over a connection kept for an hour, while
 * Firefox's own DNS cache counts its minute from the lookup.
 */
export function placeDns(stamps: Stamps, clues: LookupClues): Measured {
  const dns = stamps.domainLookupEnd - stamps.domainLookupStart;
  if (clues.engine !== 'firefox' || dns > 0) return dns;
  const gap = stamps.connectStart - stamps.fetchStart;
  if (gap <= HIDING_STEPS * clues.clockStepMs * 1000) return dns;
  return clues.literalAddress ? dns : 'firefox_dns';
}
