import { quantileRank } from '../../../shared/statistics/quantile-rank.ts';
import type { CellAggregate } from '../../reductions/cell-aggregate.ts';

const MOST_MERGED = 0.1;

export type SetUpPhase = 'dns' | 'tcp' | 'tls';

/**
 * Mean of one set-up phase over all network requests, ms; a reused connection counts as 0. Requests whose phase is
 * unknown are left out; if HTTPS is among them, plain HTTP counts as 0 TLS. null if no request can have a known time
 * (nothing but plain HTTP, or every time unknown), and for TLS if more than a tenth of the connections are HTTP/3.
 */
export function perRequestMean(aggregate: CellAggregate, phase: SetUpPhase): number | null {
  const requests = countRequestsWith(aggregate, phase);
  const time = timeOf(aggregate, phase);
  return requests === null || time === null ? null : time / (1000 * requests);
}

/** Total wait for the phase, µs: TCP includes the remainder of undivided set-ups; known TLS stands for unknown. */
function timeOf(aggregate: CellAggregate, phase: SetUpPhase): number | null {
  const { n, sum } = aggregate.times[phase];
  if (phase === 'tcp') return sum + undividedTime(aggregate);
  const unreported = unreportedOf(aggregate, phase);
  if (unreported === 0) return sum;
  return n === 0 ? null : (sum * (n + unreported)) / n;
}

/** The median of the same, ms. The zeros need no list: they sort before every measured time. */
export function perRequestMedian(aggregate: CellAggregate, phase: SetUpPhase): number | null {
  const requests = countRequestsWith(aggregate, phase);
  if (requests === null) return null;
  const measured = aggregate.times[phase];
  const opened = countOpened(aggregate, phase);
  const rank = quantileRank(0.5, requests) - (requests - opened);
  if (rank < 0) return 0;
  // Known times stand in for unknown ones.
  return measured.n === 0 ? null : measured.valueAtRank(Math.floor((rank * measured.n) / opened)) / 1000;
}

/** Reused connections, which count as 0, and new ones whose time is known or estimated; none of unknown class. */
export function countRequestsWith(aggregate: CellAggregate, phase: SetUpPhase): number | null {
  const { evidence, setupPerConnection, setupPerRequest, unknown } = aggregate;
  if (phase === 'tls' && isMostlyMerged(aggregate)) return null;
  if ((unknown[phase]?.plain_http ?? 0) >= evidence.usable) return null;
  const reused = setupPerRequest.n - setupPerConnection.n;
  // A new connection with a known set-up but no TLS time is plain HTTP.
  const opened = countOpened(aggregate, phase);
  const withoutTls = phase === 'tls' ? Math.max(0, setupPerConnection.n - opened) : 0;
  const requests = reused + opened + withoutTls;
  return requests === 0 ? null : requests;
}

/**
 * Whether HTTP/3 hides what TLS takes: it sets up transport and TLS in one handshake. Up to a tenth of the new connections count as if
 * all of theirs were TLS: a single one must not leave an app without its cost.
 */
export function isMostlyMerged(aggregate: CellAggregate): boolean {
  return (aggregate.unknown.tcp?.merged_h3 ?? 0) > MOST_MERGED * countOpened(aggregate, 'tls');
}

/** New connections that had the phase, whether its time is known or estimated. */
export function countOpened(aggregate: CellAggregate, phase: SetUpPhase): number {
  return aggregate.times[phase].n + unreportedOf(aggregate, phase);
}

function unreportedOf(aggregate: CellAggregate, phase: SetUpPhase): number {
  return phase === 'dns' ? 0 : unreportedConnections(aggregate, phase);
}

type SetUpParts = Pick<CellAggregate, 'times' | 'unknown' | 'setupPerConnection'>;

/** New connections that had this part of the set-up, but did not report it. */
export function unreportedConnections({ unknown }: Pick<CellAggregate, 'unknown'>, phase: 'tcp' | 'tls'): number {
  const reasons = unknown[phase];
  return (reasons?.begun_earlier ?? 0) + (reasons?.queued ?? 0) + (reasons?.no_tls_stamp ?? 0);
}

/**
 * The total time that requests waited for connections in undivided set-ups, beyond the known parts, µs. That is the end
 * of a TCP handshake, since TLS is known if it was still to come.
 */
export function undividedTime({ times: { dns, tcp, tls }, unknown, setupPerConnection }: SetUpParts): number {
  if ((unknown.tcp?.begun_earlier ?? 0) === 0) return 0;
  return Math.max(0, setupPerConnection.sum - dns.sum - tcp.sum - tls.sum);
}
