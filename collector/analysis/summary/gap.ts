import { quantileRank } from '../../../shared/statistics/quantile-rank.ts';
import { slowThreshold } from '../../../shared/statistics/slow-threshold.ts';
import type { CellAggregate } from '../../reductions/cell-aggregate.ts';
import type { Gap } from './summary-document.ts';

/** A phase is named as the cause of the slow group only if it explains at least this share of it. */
const MIN_EXPLAINED = 0.5;
const TAIL_PHASES = ['blocked', 'wait', 'receive'] as const;

/**
 * Why the average of `ttlb` differs from its median: connection set-up + the slow group + the spread of the rest. With
 * exact distributions each part is computed independently and they add up; with a sketch the spread is the remainder,
 * since median and slow group are only known within the sketch's bound while sums are exact.
 */
export function explainGap(
  aggregate: Pick<CellAggregate, 'times' | 'ttlbWithoutSetup' | 'setupUnknown' | 'clockStep'>,
): Gap | null {
  const { ttlb } = aggregate.times;
  const without = aggregate.ttlbWithoutSetup;
  const { n } = ttlb;
  const threshold = slowThreshold(without, aggregate.clockStep ?? 0);
  if (threshold === null) return null;
  const median = ttlb.valueAtRank(quantileRank(0.5, n));
  // The threshold is a bucket's start, so a sketch counts exactly too.
  const slow = without.countAbove(threshold.from - 1);
  const largest = without.sumOfLargest(slow);
  const gap = ttlb.sum / n - median;
  const setup = (ttlb.sum - without.sum) / n;
  const tail = (largest - slow * median) / n;
  const exact = ttlb.exact && without.exact;
  const spread = exact ? (without.sum - largest - (n - slow) * median) / n : gap - setup - tail;
  return {
    n,
    median: median / 1000,
    mean: ttlb.sum / (1000 * n),
    gap: gap / 1000,
    setup: setup / 1000,
    tail: tail / 1000,
    tailSamples: slow,
    tailFrom: threshold.from / 1000,
    tailBy: threshold.by,
    tailPhase: tailPhaseOf(aggregate.times, slow, largest - slow * median),
    spread: spread / 1000,
    setupUnknown: aggregate.setupUnknown,
  };
}

/**
 * What slow requests waited for. Phases don't record which samples are slow in `ttlb`, so as many of each phase's own
 * slowest are used instead. That can only overstate a phase, so it has to explain half of the slow group.
 */
function tailPhaseOf(times: CellAggregate['times'], k: number, tail: number): Gap['tailPhase'] {
  if (tail <= 0) return null;
  let best: Gap['tailPhase'] = null;
  let most = MIN_EXPLAINED * tail;
  for (const phase of TAIL_PHASES) {
    const { n } = times[phase];
    if (n === 0) continue;
    const taken = Math.min(k, n);
    const excess = times[phase].sumOfLargest(taken) - taken * times[phase].valueAtRank(quantileRank(0.5, n));
    if (excess > most) {
      most = excess;
      best = phase;
    }
  }
  return best;
}
