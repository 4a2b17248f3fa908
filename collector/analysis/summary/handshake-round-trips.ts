import { quantileRank } from '../../../shared/statistics/quantile-rank.ts';
import type { CellAggregate } from '../../reductions/cell-aggregate.ts';
import { canDivideBy } from '../../reductions/scenario-rows.ts';
import { unreportedConnections } from './per-request.ts';
import type { HandshakeRoundTrips } from './summary-document.ts';

/** Up to half a round trip beyond a handshake's own still counts as that handshake. */
const ONE_UP_TO = 1.5;
const TWO_UP_TO = 2.5;

/** How many round trips the TLS handshake took. Group cells by host: the paths to two hosts are not comparable. */
export function handshakeRoundTrips({ times, unknown, clockStep }: CellAggregate): HandshakeRoundTrips {
  const { tcp, tls } = times;
  const n = tls.n;
  if (n === 0 || tcp.n === 0) return { roundTrips: null, n, reason: 'no_tls', meaning: null };
  // Connections with an unknown `tcp` had one too: the known ones stand in for them.
  const opened = (phase: 'tcp' | 'tls') => times[phase].n + unreportedConnections({ unknown }, phase);
  if (opened('tcp') !== opened('tls') || (unknown.tcp?.merged_h3 ?? 0) > 0)
    return { roundTrips: null, n, reason: 'mixed', meaning: null };
  const roundTrip = tcp.valueAtRank(quantileRank(0.5, tcp.n));
  if (roundTrip === 0 || (clockStep !== null && roundTrip <= clockStep)) {
    return { roundTrips: null, n, reason: 'below_clock_step', meaning: null };
  }
  if (!canDivideBy(roundTrip, clockStep)) return { roundTrips: null, n, reason: 'round_trip_too_short', meaning: null };
  const roundTrips = tls.valueAtRank(quantileRank(0.5, n)) / roundTrip;
  return { roundTrips, n: tcp.n, reason: null, meaning: MEANINGS[countRoundTrips(roundTrips)] };
}

const MEANINGS = {
  one: 'One round trip, as with TLS 1.3, with False Start in TLS 1.2, or when a session is resumed: this number does not tell them apart.',
  two: 'Two round trips: a full handshake of TLS 1.2 without False Start, or of an older TLS version.',
  more: 'More than two round trips: a certificate chain too large for the first flight, or slow signing on the server.',
};

/** https://www.rfc-editor.org/rfc/rfc7918 (False Start): the request leaves before the server's last message. */
export function countRoundTrips(roundTrips: number): keyof typeof MEANINGS {
  return roundTrips <= ONE_UP_TO ? 'one' : roundTrips <= TWO_UP_TO ? 'two' : 'more';
}
