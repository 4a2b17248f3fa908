import type { EntryContext, ObservedRequest } from './entry-context.ts';
import type { Stamps } from './stamps.ts';
import { toMicroseconds } from './stamps.ts';

/**
 * How late a webRequest event may be, ms: it is stamped on the parent process's main thread, the entry's stamps on the
 * socket thread. Within this limit, headers seen "after" responseEnd belong to a response that arrived in a single
 * read. Seen: up to 20 ms after responseEnd with ten parallel requests on two cores.
 */
const MAX_EVENT_LAG_MS = 50;

/** Events are never early; this allows for rounding and for drift between the two clocks, ms. */
const MAX_CLOCK_DIFFERENCE_MS = 10;

/**
 * On a full TLS 1.3 handshake over HTTP/1.1, Firefox stamps responseStart about one round trip after the request,
 * whatever the server does. This derives the true arrival of the response's headers, µs since timeOrigin, from
 * webRequest: headersReceivedAt on the document's clock, so wait = headersReceivedAt − (timeOrigin + requestStart).
 * Null if it cannot be trusted.
 *
 * Nothing before requestStart enters into it: no queue, no lookup, no handshake. The price is that two clocks have to
 * agree (`Date.now()` in the parent, the origin of the page's times), which `clocksAgree` checks.
 *
 * The result is clamped to [responseStart, responseEnd], since the entry's own responseStart is only ever early. Beyond
 * those by more than an event's lag (later) or the difference between two clocks (earlier), it counts as a mismatch.
 *
 * The alternative, (headersReceivedAt − sentAt) − (connectEnd − startTime), needs one clock only. But onSendHeaders
 * fires before the connection is made, so queueing between startTime and sentAt is subtracted from `wait`. Measured in
 * Firefox 153: ten parallel requests, each on a new connection with a full TLS 1.3 handshake, HTTP/1.1, 40 ms round
 * trip; error against server time + round trip, ms, as lowest / median / highest:
 *
 * | server time | responseStart      | by wall clock  | by durations     |
 * |-------------|--------------------|----------------|------------------|
 * | 0           | 0 / +5 / +8        | +6 / +12 / +14 | −17 / −10 / −1   |
 * | 100         | −99 / −97 / −95    | +4 / +7 / +9   | −8 / −7 / −3     |
 * | 300         | −301 / −295 / −293 | +5 / +13 / +16 | −2 / +2 / +8     |
 *
 * The error by durations grows with the queue (12 to 25 ms at 0), which the page's own load determines; the error by
 * wall clock does not. Firefox reports the headers once the first byte of the body is there, so a server that flushes
 * its headers long before that seems slower than it was.
 */
export function correctedHeadersAt(stamps: Stamps, context: EntryContext): number | null {
  const { observed } = context;
  if (observed === null || !clocksAgree(stamps, context, observed)) return null;
  const headersAt = toMicroseconds(observed.headersReceivedAt - context.timeOrigin);
  if (!Number.isFinite(headersAt)) return null;
  if (headersAt < stamps.responseStart - toMicroseconds(MAX_CLOCK_DIFFERENCE_MS)) return null;
  if (headersAt > stamps.responseEnd + toMicroseconds(MAX_EVENT_LAG_MS)) return null;
  return Math.min(Math.max(headersAt, stamps.responseStart), stamps.responseEnd);
}

/** onSendHeaders falls between startTime and requestStart; otherwise a clock was changed or the match is wrong. */
function clocksAgree(stamps: Stamps, context: EntryContext, observed: ObservedRequest): boolean {
  const sent = toMicroseconds(observed.sentAt - context.timeOrigin);
  const tolerance = toMicroseconds(MAX_CLOCK_DIFFERENCE_MS);
  return sent >= stamps.start - tolerance && sent <= stamps.requestStart + tolerance;
}
