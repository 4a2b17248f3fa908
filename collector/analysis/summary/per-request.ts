import { quantileRank } from '../../../shared/statistics/quantile-rank.ts';
import type { CellAggregate } from '../../reductions/cell-aggregate.ts';
import { undividedTime, untoldConnections } from './untold-set-up.ts';

export type SetUpPhase = 'dns' | 'tcp' | 'tls';

/**
 * Mean of one set-up phase over all network requests, where a reused connection counts 0, in ms. Requests whose phase
 * is unknown are left out; plain HTTP pays 0 TLS beside HTTPS. null where no request could have had the phase: nothing
 * but plain HTTP, or every time unknown; and for TLS where HTTP/3 is among them.
 */
export function perRequestMean(aggregate: CellAggregate, phase: SetUpPhase): number | null {
  const requests = requestsWith(aggregate, phase);
  const time = timeOf(aggregate, phase);
  return requests === null || time === null ? null : time / (1000 * requests);
}

/** All that requests waited for the phase, µs: what set-ups leave of TCP, and TLS that is told for that which is not. */
function timeOf(aggregate: CellAggregate, phase: SetUpPhase): number | null {
  const { n, sum } = aggregate.times[phase];
  if (phase === 'tcp') return sum + undividedTime(aggregate);
  const untold = untoldOf(aggregate, phase);
  if (untold === 0) return sum;
  return n === 0 ? null : (sum * (n + untold)) / n;
}

/** The median of the same, ms. The zeros need no list: they come before every time that was measured. */
export function perRequestMedian(aggregate: CellAggregate, phase: SetUpPhase): number | null {
  const requests = requestsWith(aggregate, phase);
  if (requests === null) return null;
  const measured = aggregate.times[phase];
  const opened = measured.n + untoldOf(aggregate, phase);
  const rank = quantileRank(0.5, requests) - (requests - opened);
  if (rank < 0) return 0;
  // Those that tell stand for those that do not.
  return measured.n === 0 ? null : measured.valueAtRank(Math.floor((rank * measured.n) / opened)) / 1000;
}

/** Reused connections, which count 0, and the new ones whose time is known; none of those of an unknown class. */
function requestsWith(aggregate: CellAggregate, phase: SetUpPhase): number | null {
  const { evidence, setupPerConnection, setupPerRequest, times, unknown } = aggregate;
  // The handshake of HTTP/3 is transport and TLS in one: what of it was TLS is unknown.
  if (phase === 'tls' && (unknown.tcp?.merged_h3 ?? 0) > 0) return null;
  if ((unknown[phase]?.plain_http ?? 0) >= evidence.usable) return null;
  const reused = setupPerRequest.n - setupPerConnection.n;
  // A new connection whose set-up is known though it has no TLS time is one of plain HTTP.
  const opened = times[phase].n + untoldOf(aggregate, phase);
  const withoutTls = phase === 'tls' ? Math.max(0, setupPerConnection.n - opened) : 0;
  const requests = reused + opened + withoutTls;
  return requests === 0 ? null : requests;
}

function untoldOf(aggregate: CellAggregate, phase: SetUpPhase): number {
  return phase === 'dns' ? 0 : untoldConnections(aggregate, phase);
}
