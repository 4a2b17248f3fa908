import { quantileRank } from '../statistics/quantile-rank.ts';
import type { CellAggregate } from './cell-aggregate.ts';

export type SetUpPhase = 'dns' | 'tcp' | 'tls';

/**
 * Mean of one set-up phase over all network requests, where a reused connection counts 0, in ms. Requests whose phase
 * is unknown are left out; plain HTTP pays 0 TLS beside HTTPS. null where no request could have had the phase: nothing
 * but plain HTTP, or every time unknown.
 */
export function perRequestMean(aggregate: CellAggregate, phase: SetUpPhase): number | null {
  const requests = requestsWith(aggregate, phase);
  return requests === null ? null : aggregate.times[phase].sum / (1000 * requests);
}

/** The median of the same, ms. The zeros need no list: they come before every time that was measured. */
export function perRequestMedian(aggregate: CellAggregate, phase: SetUpPhase): number | null {
  const requests = requestsWith(aggregate, phase);
  if (requests === null) return null;
  const measured = aggregate.times[phase];
  const rank = quantileRank(0.5, requests) - (requests - measured.n);
  return rank < 0 ? 0 : measured.valueAtRank(rank) / 1000;
}

function requestsWith(aggregate: CellAggregate, phase: SetUpPhase): number | null {
  const reasons = aggregate.unknown[phase] ?? {};
  const missing = Object.values(reasons).reduce((sum, n) => sum + n, 0);
  if (missing >= aggregate.evidence.usable) return null;
  const network = aggregate.setupPerRequest.n + aggregate.setupUnknown;
  const known = network - missing + (reasons.plain_http ?? 0);
  const requests = Math.max(known, aggregate.times[phase].n);
  return requests === 0 ? null : requests;
}
