import { quantileRank } from '../../../shared/statistics/quantile-rank.ts';
import type { CellAggregate } from '../../reductions/cell-aggregate.ts';
import type { Gap } from './summary-document.ts';

/** The slow tail is the slowest hundredth, rounded up, so that it is never empty. */
const TAIL_PART = 100;
/** A phase is named as the cause of the tail only if it explains at least this share of it. */
const MIN_EXPLAINED = 0.5;
const TAIL_PHASES = ['blocked', 'wait', 'receive'] as const;

/**
 * Why the average of `ttlb` differs from its median: connection set-up + the slow tail + the spread of the rest. With
 * exact distributions each part is computed independently and they add up; with a sketch the spread is the remainder,
 * since median and tail are only known within the sketch's bound while sums are exact.
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
    tailPhase: tailPhaseOf(aggregate.times, tailSamples, largest - tailSamples * median),
    spread: spread / 1000,
    setupUnknown: aggregate.setupUnknown,
  };
}

/**
 * What slow requests waited for. Phases don't record which samples are slow in `ttlb`, so each phase's own slowest
 * hundredth is used instead. That can only overstate a phase, so it has to explain half of the tail.
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
