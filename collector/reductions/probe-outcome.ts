import type { EvidenceClass } from '../../shared/sample/evidence.ts';

/**
 * What a probe's run says about the server it asked: `up` if it answered with 2xx or 3xx, also by way of a redirect or
 * a challenge; `down` if it failed or answered with another status; null if it says nothing, because the answer came
 * from a cache, its status is hidden, or the probe itself failed.
 */
export function probeOutcome(evidence: EvidenceClass): 'up' | 'down' | null {
  switch (evidence) {
    case 'usable':
    case 'redirect':
    case 'challenge':
      return 'up';
    case 'failed':
    case 'status':
      return 'down';
    default:
      return null;
  }
}
