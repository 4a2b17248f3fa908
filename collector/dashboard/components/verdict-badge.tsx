import { MIN_SAMPLES } from '../../../shared/statistics/keep-measuring.ts';
import type { Verdict } from '../../analysis/summary/summary-document.ts';
import { KEEP_MEASURING_WORDS, NO_VERDICT_WORDS, VERDICT_LABELS, VERDICT_MEANINGS } from '../../analysis/text/words.ts';
import { Spoken } from './spoken.tsx';

/** A verdict based on few samples is drawn in outline: it may still change. */
export function VerdictBadge({ verdict: { verdict, reason, n } }: { readonly verdict: Verdict }) {
  const tentative = verdict !== 'unknown' && n < MIN_SAMPLES;
  const meaning = reason === null ? VERDICT_MEANINGS[verdict] : NO_VERDICT_WORDS[reason];
  return (
    <span
      class={`verdict verdict-${verdict}${tentative ? ' tentative' : ''}`}
      data-tip={tentative ? `${meaning}; keep measuring: ${KEEP_MEASURING_WORDS.few_samples}` : meaning}
    >
      {VERDICT_LABELS[verdict]}
      {tentative ? <Spoken> keep measuring</Spoken> : null}
    </span>
  );
}
