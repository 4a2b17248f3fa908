import type { EntryContext, ObservedRequest } from './entry-context.ts';
import type { Stamps } from './stamps.ts';
import { toMicroseconds } from './stamps.ts';

/**
 * How late a webRequest event may be told, ms: it is stamped on the parent process' main thread, the entry's stamps on
 * the socket thread. Within it an answer seen "after" responseEnd is one that came in a single read.
 */
const MAX_EVENT_LAG_MS = 10;

/**
 * Firefox stamps responseStart about one round trip after the request on a full TLS 1.3 handshake over HTTP/1.1,
 * whatever the server does. This finds the true moment of the answer's headers, µs since timeOrigin, from what
 * webRequest saw; null where that cannot be trusted.
 *
 * The result lies between the entry's own responseStart (which is only ever early) and responseEnd: outside of them
 * by no more than the lag of an event it is taken for the nearer one, further out for a mismatch.
 */
export function correctedHeadersAt(stamps: Stamps, context: EntryContext): number | null {
  const { observed } = context;
  if (observed === null || !clocksAgree(stamps, context, observed)) return null;
  const headersAt = headersAtByWallClock(stamps, context, observed);
  const lag = toMicroseconds(MAX_EVENT_LAG_MS);
  if (!Number.isFinite(headersAt)) return null;
  if (headersAt < stamps.responseStart - lag || headersAt > stamps.responseEnd + lag) return null;
  return Math.min(Math.max(headersAt, stamps.responseStart), stamps.responseEnd);
}

/**
 * In use. headersReceivedAt on the document's clock, so wait = headersReceivedAt − (timeOrigin + requestStart).
 * Nothing before requestStart enters it: no queue, no lookup, no handshake. Its price is that two clocks have to agree
 * (`Date.now()` in the parent, `timeOrigin` in the page), which `clocksAgree` checks.
 */
export function headersAtByWallClock(_: Stamps, context: EntryContext, observed: ObservedRequest): number {
  return toMicroseconds(observed.headersReceivedAt - context.timeOrigin);
}

/**
 * The other candidate: wait = (headersReceivedAt − sentAt) − (connectEnd − startTime). One clock only, but onSendHeaders
 * fires before the connection is made, at some moment after startTime. So it takes startTime → sentAt (queueing in
 * the page's process, blocking listeners) away from `wait`, and counts connectEnd → requestStart twice.
 */
export function headersAtByDurations(stamps: Stamps, _: EntryContext, observed: ObservedRequest): number {
  const sentToHeaders = toMicroseconds(observed.headersReceivedAt - observed.sentAt);
  return stamps.requestStart + sentToHeaders - (stamps.connectEnd - stamps.start);
}

/** onSendHeaders belongs between startTime and requestStart; where it does not, a clock was set or the match is wrong. */
function clocksAgree(stamps: Stamps, context: EntryContext, observed: ObservedRequest): boolean {
  const sent = toMicroseconds(observed.sentAt - context.timeOrigin);
  const tolerance = toMicroseconds(MAX_EVENT_LAG_MS);
  return sent >= stamps.start - tolerance && sent <= stamps.requestStart + tolerance;
}
