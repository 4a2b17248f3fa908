import { isSecure } from '../redact/http-url.ts';
import type { EntryContext } from '../timing/entry-context.ts';
import { tlsHandshakeToldByServer } from '../timing/server-timing.ts';
import { splitSetUp } from '../timing/set-up-split.ts';
import { readStamps } from '../timing/stamps.ts';
import type { TimingEntry } from '../timing/timing-entry.ts';
import type { Connection, Handshake, HandshakeEvidence } from '../vocabulary/vocabulary.ts';

/**
 * A full TLS 1.2 handshake takes two round trips, a resumed one takes one, and tcp is one, hence tls ÷ tcp. Up to this ratio
 * the session was resumed; above it, the server may simply have been slow.
 */
const RESUMED_UP_TO_RATIO = 1.3;
/** Below this many clock steps of tcp, the ratio is mostly rounding. */
const MIN_TCP_STEPS = 5;

export interface HandshakeFinding {
  readonly handshake: Handshake;
  /** Null if nothing is known, or there was no handshake. */
  readonly evidence: HandshakeEvidence | null;
}

const UNKNOWN: HandshakeFinding = { handshake: 'unknown', evidence: null };

/**
 * Full or resumed, as far as known: from a probe's method if that is proof (`proven`); from Server-Timing; or in Firefox on
 * TLS 1.2 from the number of round trips. No browser API reports it, and in TLS 1.3, and in Chromium in general, both take
 * the client the same time. The server's statement takes precedence over the clock.
 */
export function classifyHandshake(
  entry: TimingEntry,
  context: EntryContext,
  connection: Connection,
  proven: Handshake | null = null,
): HandshakeFinding {
  if (connection !== 'new' || !isSecure(entry.name)) return UNKNOWN;
  if (proven !== null && proven !== 'unknown') return { handshake: proven, evidence: 'probe' };
  const told = tlsHandshakeToldByServer(entry.serverTiming);
  if (told !== null) return { handshake: told, evidence: 'server_timing' };
  return countRoundTrips(entry, context);
}

function countRoundTrips(entry: TimingEntry, context: EntryContext): HandshakeFinding {
  if (context.engine !== 'firefox' || context.observed?.tls?.version !== 'TLSv1.2') return UNKNOWN;
  const { tcp, tls } = splitSetUp(readStamps(entry), true, entry.nextHopProtocol, context);
  if (typeof tcp !== 'number' || typeof tls !== 'number') return UNKNOWN;
  if (tcp < MIN_TCP_STEPS * context.clockStepMs * 1000) return UNKNOWN;
  // A connect that took longer than others with this origin included some other delay.
  const ratio = tls / Math.min(tcp, (context.leastTcpMs ?? Number.POSITIVE_INFINITY) * 1000);
  if (ratio <= RESUMED_UP_TO_RATIO) return { handshake: 'resumed', evidence: 'firefox_tls12_round_trips' };
  return UNKNOWN;
}
