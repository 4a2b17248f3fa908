import { ENGLISH, type Texts } from '../text/english.ts';
import type { SequenceRatio } from './sequence-ratios.ts';

export interface SentenceFacts {
  readonly ratios: readonly Pick<SequenceRatio, 'scenario' | 'median' | 'medianInterval'>[];
  /** Smallest step of the browser's timer, ms. */
  readonly clockStepMs: number;
  /** Share of real users' requests that reuse a connection, 0…1; null if unknown. */
  readonly reuse: number | null;
}

/**
 * The cost of HTTPS in one sentence. Every number is a difference of medians from a probe sequence; one whose interval
 * contains 0, or that is below the clock step, is not printed.
 */
export function overheadSentence(
  { ratios, clockStepMs, reuse }: SentenceFacts,
  { overhead: text }: Pick<Texts, 'overhead'> = ENGLISH,
): string {
  const cost = (ms: number) => (ms === 0 ? text.nothing : text.cost(ms));
  const reused = addedBy('https-reused');
  const fresh = addedBy('https-new');
  const parts = [
    ...(reused === null ? [] : [text.reused(cost(reused))]),
    ...(fresh === null ? [] : [text.fresh(cost(fresh))]),
  ];
  if (parts.length === 0) return text.unknown;
  const known = text.known(parts);
  if (reuse === null || reused === null || fresh === null) return `${known}.`;
  const perRequest = reuse * reused + (1 - reuse) * fresh;
  return `${known}; ${text.perRequest(reuse, cost(perRequest))}.`;

  /** 0 if the difference is indistinguishable from none; null if it was not measured. */
  function addedBy(scenario: string): number | null {
    const ratio = ratios.find((each) => each.scenario === scenario);
    if (!ratio?.median) return null;
    const [low, high] = ratio.medianInterval ?? [0, 0];
    const isNothing = (low <= 0 && high >= 0) || Math.abs(ratio.median.ms) < clockStepMs;
    return isNothing ? 0 : ratio.median.ms;
  }
}
