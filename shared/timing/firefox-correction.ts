import type { EntryContext, ObservedRequest } from './entry-context.ts';
import type { Stamps } from './stamps.ts';
import { toMicroseconds } from './stamps.ts';

/**
 * How late a webRequest event may be told, ms: it is stamped on the parent process' main thread, the entry's stamps on
 * the socket thread. Within it an answer seen "after" responseEnd is one that came in a single read. Seen: up to
 * 20 ms after responseEnd with ten requests in parallel on two cores.
 */
const MAX_EVENT_LAG_MS = 50;

/** Events are never early: this is for the rounding and the drift of two clocks, ms. */
const MAX_CLOCK_DIFFERENCE_MS = 10;

/**
 * Firefox stamps responseStart about one round trip after the request on a full TLS 1.3 handshake over HTTP/1.1,
 * whatever the server does. This finds the true moment of the answer's headers, µs since timeOrigin, from what
 * webRequest saw; null where that cannot be trusted.
 *
 * The result lies between the entry's own responseStart (which is only ever early) and responseEnd: outside of them
 * by no more than the lag of an event (later) or the difference of two clocks (earlier) it is taken for the nearer one,
 * further out for a mismatch.
 */
export function correctedHeadersAt(stamps: Stamps, context: EntryContext): number | null {
  const { observed } = context;
  if (observed === null || !clocksAgree(stamps, context, observed)) return null;
  const headersAt = headersAtByWallClock(stamps, context, observed);
  if (!Number.isFinite(headersAt)) return null;
  if (headersAt < stamps.responseStart - toMicroseconds(MAX_CLOCK_DIFFERENCE_MS)) return null;
  if (headersAt > stamps.responseEnd + toMicroseconds(MAX_EVENT_LAG_MS)) return null;
  return Math.min(Math.max(headersAt, stamps.responseStart), stamps.responseEnd);
}

/**
 * In use. headersReceivedAt on the document's clock, so wait = headersReceivedAt − (timeOrigin + requestStart).
 * Nothing before requestStart enters it: no queue, no lookup, no handshake. Its price is that two clocks have to agree
 * (`Date.now()` in the parent, the origin of the page's times), which `clocksAgree` checks, and that the event comes
 * late, never early.
 *
 * Measured in Firefox 153: ten parallel requests, each on a new connection with a full TLS 1.3 handshake, HTTP/1.1, 40 ms
 * round trip; error against server time + round trip, ms, as lowest / median / highest:
 *
 * | server time | responseStart      | by wall clock  | by durations     |
 * |-------------|--------------------|----------------|------------------|
 * | 0           | 0 / +5 / +8        | +6 / +12 / +14 | −17 / −10 / −1   |
 * | 100         | −99 / −97 / −95    | +4 / +7 / +9   | −8 / −7 / −3     |
 * | 300         | −301 / −295 / −293 | +5 / +13 / +16 | −2 / +2 / +8     |
 *
 * The error of the other one grows with the queue (12 to 25 ms at 0), which a page's own load decides; this one's does not.
 * Firefox tells of the headers when the first byte of the body is there: a server that flushes its headers long before
 * seems to wait longer than it did.
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
  const tolerance = toMicroseconds(MAX_CLOCK_DIFFERENCE_MS);
  return sent >= stamps.start - tolerance && sent <= stamps.requestStart + tolerance;
}
