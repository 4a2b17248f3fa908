import type { UnknownReason } from '../sample/vocabulary.ts';
import type { Engine } from './entry-context.ts';
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
 */
export function splitSetUp(stamps: Stamps, secure: boolean, protocol: string, engine: Engine): SetUpSplit {
  const { connectStart, secureConnectionStart, connectEnd } = stamps;
  const connect = connectEnd - connectStart;
  if (!secure) return { tcp: connect, tls: 'plain_http' };
  if (connect === 0) return { tcp: 0, tls: 0 };
  if (isHttp3(protocol)) return { tcp: 'merged_h3', tls: connect };
  if (secureConnectionStart === 0) return { tcp: 'no_tls_stamp', tls: 'no_tls_stamp' };
  if (protocol === '' && secureConnectionStart === connectStart) return { tcp: 'merged_h3', tls: connect };
  // Chromium moves stamps of a preconnect in flight up to the request: a TCP handshake from before reads 0.
  if (engine === 'chromium' && secureConnectionStart === connectStart) return { tcp: 'preconnected', tls: connect };
  return { tcp: secureConnectionStart - connectStart, tls: connectEnd - secureConnectionStart };
}

/** `h3`, its drafts (`h3-29`) and Google's forerunner (`hq-…`). https://www.rfc-editor.org/rfc/rfc9114#section-3.1 */
export function isHttp3(protocol: string): boolean {
  return /^(h3|hq)(-|$)/i.test(protocol);
}
