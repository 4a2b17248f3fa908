import type { CellAggregate } from './cell-aggregate.ts';

export type SetUpPhase = 'dns' | 'tcp' | 'tls';

/**
 * Mean of one set-up phase over all network requests, where a reused connection counts 0, in ms. Requests whose phase
 * is unknown are left out; plain HTTP pays 0 TLS beside HTTPS. null where no request could have had the phase: nothing
 * but plain HTTP, or every time unknown.
 */
export function perRequestMean(aggregate: CellAggregate, phase: SetUpPhase): number | null {
  const known = aggregate.times[phase];
  const reasons = aggregate.unknown[phase] ?? {};
  const missing = Object.values(reasons).reduce((sum, n) => sum + n, 0);
  if (missing >= aggregate.evidence.usable) return null;
  const requests = aggregate.setupPerRequest.n - missing + (reasons.plain_http ?? 0);
  return requests > 0 ? known.sum / Math.max(requests, known.n) / 1000 : null;
}
