import { quantileRank } from '../statistics/quantile-rank.ts';
import type { CellAggregate } from './cell-aggregate.ts';
import type { Gap } from './summary-document.ts';

/** The slow tail is the slowest hundredth, rounded up, so that it is never empty. */
const TAIL_PART = 100;

/**
 * Why the average of `ttlb` differs from its median: connection set-up + the slow tail + the spread of the others.
 * With exact distributions each part is computed by itself and they add up; with a sketch the spread is what remains,
 * since its median and its tail are within the sketch's bound and the sums exact.
 */
export function explainGap(aggregate: Pick<CellAggregate, 'times' | 'ttlbWithoutSetup' | 'setupUnknown'>): Gap | null {
  const { ttlb } = aggregate.times;
  const without = aggregate.ttlbWithoutSetup;
  const { n } = ttlb;
  if (n === 0) return null;
  const median = ttlb.valueAtRank(quantileRank(0.5, n));
  const tailSamples = Math.ceil(n / TAIL_PART);
  const largest = without.sumOfLargest(tailSamples);
  const gap = ttlb.sum / n - median;
  const setup = (ttlb.sum - without.sum) / n;
  const tail = (largest - tailSamples * median) / n;
  const exact = ttlb.exact && without.exact;
  const spread = exact ? (without.sum - largest - (n - tailSamples) * median) / n : gap - setup - tail;
  return {
    n,
    median: median / 1000,
    mean: ttlb.sum / (1000 * n),
    gap: gap / 1000,
    setup: setup / 1000,
    tail: tail / 1000,
    tailSamples,
    spread: spread / 1000,
    setupUnknown: aggregate.setupUnknown,
  };
}
