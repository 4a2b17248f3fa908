import type { Connection, ResponseMark } from '../vocabulary/vocabulary.ts';
import type { EntryContext } from './entry-context.ts';
import { correctedHeadersAt } from './firefox-correction.ts';
import { tlsHandshakeToldByServer } from './server-timing.ts';
import type { Stamps } from './stamps.ts';
import { wasTakenOver } from './taken-over.ts';
import type { TimingEntry } from './timing-entry.ts';

export interface MarkedResponse {
  /** Moment that ends `wait`, µs since timeOrigin. */
  readonly at: number;
  readonly mark: ResponseMark;
}

/**
 * When the final response began; null if only Firefox's early stamp is available.
 *
 * With Early Hints responseStart is the interim response, so the final headers are preferred:
 * https://www.w3.org/TR/resource-timing/#dom-performanceresourcetiming-finalresponseheadersstart
 */
export function markResponse(
  entry: TimingEntry,
  stamps: Stamps,
  context: EntryContext,
  connection: Connection,
): MarkedResponse | null {
  const hinted = stamps.finalResponseHeadersStart > stamps.responseStart;
  if (stampsResponseEarly(entry, stamps, context, connection)) {
    const at = correctedHeadersAt(stamps, context);
    // Early Hints matter more than the clock: such a wait is not divided into network and server.
    return at === null ? null : { at, mark: hinted ? 'final_response_headers' : 'web_request' };
  }
  return hinted
    ? { at: stamps.finalResponseHeadersStart, mark: 'final_response_headers' }
    : { at: stamps.responseStart, mark: 'response_start' };
}

/**
 * Whether Firefox's responseStart may be the faulty one: https, the first request of a connection, HTTP/1.1 (or hidden,
 * which may be HTTP/1.1), TLS 1.3 (or unknown), and no sign of a resumed session. h2, TLS 1.2 and resumed sessions read
 * correctly.
 */
function stampsResponseEarly(
  entry: TimingEntry,
  stamps: Stamps,
  context: EntryContext,
  connection: Connection,
): boolean {
  if (context.engine !== 'firefox') return false;
  if (!mayBeFirstOfConnection(entry, stamps, context, connection)) return false;
  if (stamps.secureConnectionStart === 0 && !entry.name.startsWith('https:')) return false;
  if (entry.nextHopProtocol !== '' && entry.nextHopProtocol.toLowerCase() !== 'http/1.1') return false;
  const version = context.observed?.tls?.version ?? null;
  if (version !== null && version !== 'TLSv1.3') return false;
  return tlsHandshakeToldByServer(entry.serverTiming) !== 'resumed';
}

/** A connection that was taken over may have been opened for another request, and used by none. */
function mayBeFirstOfConnection(
  entry: TimingEntry,
  stamps: Stamps,
  context: EntryContext,
  connection: Connection,
): boolean {
  if (connection === 'reused') return wasTakenOver(entry, stamps, context);
  // `cache` too: a revalidated response may use a new connection.
  return stamps.connectEnd > stamps.connectStart;
}
