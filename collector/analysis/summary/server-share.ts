import type { Distribution } from '../../../shared/statistics/distribution.ts';
import { medianInterval } from '../../../shared/statistics/median-interval.ts';
import { quantileRank } from '../../../shared/statistics/quantile-rank.ts';
import type { CellAggregate } from '../../reductions/cell-aggregate.ts';
import type { ServerShare, ServerShares } from './summary-document.ts';

/** A round trip ends at the first TCP endpoint, and so does everything derived from it. */
const MEANING =
  'The time of everything behind the first TCP endpoint: the server itself, or a proxy or CDN and everything behind it.';

export function serverShares(aggregate: CellAggregate): ServerShares {
  const { share, basis } = aggregate.reusedServerShare;
  return {
    meaning: MEANING,
    onNewConnections: serverShare(aggregate.serverShare),
    onReusedConnections: { ...serverShare(share), basis },
  };
}

/** @param differences wait − round trip, µs, negative ones kept */
export function serverShare(differences: Distribution): ServerShare {
  const { n } = differences;
  if (n === 0) return { n, median: null, interval: null, notMeasurable: 'no_samples' };
  const ranks = medianInterval(differences);
  if (!ranks) return { n, median: null, interval: null, notMeasurable: 'few_samples' };
  const interval = [ranks[0] / 1000, ranks[1] / 1000] as const;
  if (interval[0] <= 0 && interval[1] >= 0) {
    return { n, median: null, interval, notMeasurable: 'interval_contains_zero' };
  }
  const median = differences.valueAtRank(quantileRank(0.5, n)) / 1000;
  return { n, median, interval, notMeasurable: null };
}
