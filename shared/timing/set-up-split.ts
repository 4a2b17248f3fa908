import type { UnknownReason } from '../vocabulary/vocabulary.ts';
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
