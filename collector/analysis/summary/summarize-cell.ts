import { quantileRank } from '../../../shared/statistics/quantile-rank.ts';
import { timeStatistics } from '../../../shared/statistics/time-statistics.ts';
import { SUMMARY_TIMES } from '../../../shared/vocabulary/time-names.ts';
import type { CellAggregate } from '../../reductions/cell-aggregate.ts';
import { explainGap } from './gap.ts';
import { perRequestMean, perRequestMedian } from './per-request.ts';
import type { SummaryCell } from './summary-document.ts';
import { toVerdict } from './verdict.ts';

/** Builds one cell of the summary document from its aggregate. Microseconds become milliseconds here. */
export function summarizeCell(aggregate: CellAggregate): SummaryCell {
  const { clockStep, browsers, browsersMonth } = aggregate;
  return {
    ...aggregate.key,
    samples: aggregate.samples,
    browsers,
    ...(browsersMonth === undefined ? {} : { browsersMonth }),
    evidence: aggregate.evidence,
    connections: aggregate.connections,
    status: aggregate.status,
    phases: Object.fromEntries(
      SUMMARY_TIMES.map((name) => [name, timeStatistics(aggregate.times[name], clockStep, browsers)]),
    ) as SummaryCell['phases'],
    unknown: aggregate.unknown,
    setup: {
      perConnection: timeStatistics(aggregate.setupPerConnection, clockStep, browsers),
      perRequest: timeStatistics(aggregate.setupPerRequest, isReuse(aggregate) ? null : clockStep, browsers),
    },
    perRequest: {
      dns: perRequestMean(aggregate, 'dns'),
      tcp: perRequestMean(aggregate, 'tcp'),
      tls: perRequestMean(aggregate, 'tls'),
    },
    perRequestMedian: {
      dns: perRequestMedian(aggregate, 'dns'),
      tcp: perRequestMedian(aggregate, 'tcp'),
      tls: perRequestMedian(aggregate, 'tls'),
    },
    gap: explainGap(aggregate),
    verdict: toVerdict(aggregate),
  };
}

/** Whether the median set-up is the 0 of a reused connection: not measured, so no clock was too coarse for it. */
function isReuse({ setupPerRequest: { n }, setupPerConnection }: CellAggregate): boolean {
  return quantileRank(0.5, n) < n - setupPerConnection.n;
}
