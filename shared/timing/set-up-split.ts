import type { BrowserEngine, UnknownReason } from '../vocabulary/vocabulary.ts';
import type { EntryContext } from './entry-context.ts';
import type { Stamps } from './stamps.ts';

/** Microseconds or the reason why they are not known. */
export type Measured = number | UnknownReason;

export interface SetUpSplit {
  readonly tcp: Measured;
  readonly tls: Measured;
}

/**
 * Divides connectStart → connectEnd. https://www.w3.org/TR/resource-timing/#dom-performanceresourcetiming-connectend
 * includes TLS, and secureConnectionStart is 0 on plain HTTP: subtracting it unguarded gives a point in time.
 *
 * Each part is told only where its first stamp proves to be one of the connection; docs/measurement.md has the figures.
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
 * Why connectStart may be another moment than the one at which the connection was begun; null where it proves to be that.
 *
 * Chromium moves the stamps of a connection from before the request all to one point, where the request began to wait: of
 * stamps that differ from the one before them none was moved. Firefox leaves connectStart at fetchStart where it does
 * not know it, however long the request was queued.
 */
function doubtOf(stamps: Stamps, { engine, alone = false }: EntryContext): UnknownReason | null {
  if (engine === 'firefox') return stamps.connectStart > stamps.fetchStart ? null : 'queued';
  return alone || stamps.connectStart > stamps.domainLookupStart ? null : 'begun_earlier';
}

/** `h3`, its drafts (`h3-29`) and Google's forerunner (`hq-…`). https://www.rfc-editor.org/rfc/rfc9114#section-3.1 */
export function isHttp3(protocol: string): boolean {
  return /^(h3|hq)(-|$)/i.test(protocol);
}

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
