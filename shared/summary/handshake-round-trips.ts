import { quantileRank } from '../statistics/quantile-rank.ts';
import type { CellAggregate } from './cell-aggregate.ts';

/** Up to half a round trip beyond a handshake's own still counts as that handshake. */
const ONE_UP_TO = 1.5;
const TWO_UP_TO = 2.5;

export interface HandshakeRoundTrips {
  /** Median tls ÷ median tcp; null where it cannot be told. */
  readonly roundTrips: number | null;
  readonly n: number;
  readonly reason: 'no_tls' | 'below_clock_step' | null;
  /** What that number usually means; null with the number. */
  readonly meaning: string | null;
}

/**
 * How many round trips the TLS handshake took: group the cell by host, since the paths of two hosts do not compare. A
 * round trip within the clock step of the browser is too short to divide by.
 */
export function handshakeRoundTrips({ times, clockStep }: CellAggregate): HandshakeRoundTrips {
  const { tcp, tls } = times;
  const n = tls.n;
  if (n === 0 || tcp.n === 0) return { roundTrips: null, n, reason: 'no_tls', meaning: null };
  const roundTrip = tcp.valueAtRank(quantileRank(0.5, tcp.n));
  if (roundTrip === 0 || (clockStep !== null && roundTrip <= clockStep)) {
    return { roundTrips: null, n, reason: 'below_clock_step', meaning: null };
  }
  const roundTrips = tls.valueAtRank(quantileRank(0.5, n)) / roundTrip;
  return { roundTrips, n, reason: null, meaning: meaningOf(roundTrips) };
}

function meaningOf(roundTrips: number): string {
  if (roundTrips <= ONE_UP_TO) return 'One round trip: TLS 1.3, or a resumed session.';
  if (roundTrips <= TWO_UP_TO) return 'Two round trips: a full handshake of TLS 1.2 or older.';
  return 'More than two round trips: a certificate chain too large for the first flight, or slow signing at the server.';
}
