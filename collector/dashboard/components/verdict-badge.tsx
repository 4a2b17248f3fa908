import { MIN_SAMPLES } from '../../../shared/statistics/keep-measuring.ts';
import type { Verdict } from '../../analysis/summary/summary-document.ts';
import { VERDICT_COLOURS } from '../../charts/phase-bars.ts';
import { t } from '../text/t.ts';
import { Spoken } from './spoken.tsx';

/** A verdict based on few samples is drawn in outline: it may still change. */
export function VerdictBadge({ verdict: { verdict, reason, n, typical } }: { readonly verdict: Verdict }) {
  const tentative = verdict !== 'unknown' && n < MIN_SAMPLES;
  const average = reason === null ? t.verdictMeanings[verdict] : t.noVerdicts[reason];
  const meaning =
    typical.verdict === verdict ? average : t.components.typicalVerdict(average, t.verdicts[typical.verdict]);
  return (
    <span
      class={`verdict verdict-${verdict}${tentative ? ' tentative' : ''}`}
      {...(verdict === 'unknown' ? {} : { style: coloursOf(verdict) })}
      data-tip={tentative ? t.components.tentative(meaning, t.keepMeasuringReasons.few_samples) : meaning}
    >
      {t.verdicts[verdict]}
      {tentative ? <Spoken> {t.components.keepMeasuring}</Spoken> : null}
    </span>
  );
}

function coloursOf(part: keyof typeof VERDICT_COLOURS) {
  const colour = VERDICT_COLOURS[part];
  return { '--fill': `var(--phase-${colour})`, '--on-fill': `var(--on-phase-${colour})` };
}
