import { timeStatistics } from '../statistics/time-statistics.ts';
import { type CellAggregate, SUMMARY_TIMES } from './cell-aggregate.ts';
import { explainGap } from './gap.ts';
import { perRequestMean, perRequestMedian } from './per-request.ts';
import type { SummaryCell } from './summary-document.ts';
import { verdictOf } from './verdict.ts';

/** One cell of the summary document from what a store knows about it. Microseconds become milliseconds here. */
export function summarizeCell(aggregate: CellAggregate): SummaryCell {
  const { clockStep } = aggregate;
  return {
    ...aggregate.key,
    samples: aggregate.samples,
    browsers: aggregate.browsers,
    evidence: aggregate.evidence,
    connections: aggregate.connections,
    status: aggregate.status,
    phases: Object.fromEntries(
      SUMMARY_TIMES.map((name) => [name, timeStatistics(aggregate.times[name], clockStep)]),
    ) as SummaryCell['phases'],
    unknown: aggregate.unknown,
    setup: {
      perConnection: timeStatistics(aggregate.setupPerConnection, clockStep),
      perRequest: timeStatistics(aggregate.setupPerRequest, clockStep),
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
    verdict: verdictOf(aggregate),
  };
}
