import { MIN_SAMPLES } from '../../../shared/statistics/keep-measuring.ts';
import type { Verdict } from '../../analysis/summary/summary-document.ts';
import { DASH } from '../../analysis/text/format.ts';
import { KEEP_MEASURING_WORDS, NO_VERDICT_WORDS, VERDICT_LABELS, VERDICT_MEANINGS } from '../../analysis/text/words.ts';
import type { ConnectionShare } from '../../charts/connection-shares.ts';
import { describeConnections } from '../../charts/connection-shares.ts';
import type { Pair } from '../model/pair.ts';
import { element, spoken } from './element.ts';

/** Unknown is a dash, never 0; its reason is a tooltip, and text for screen readers. */
export function unknownMark(reason: string): HTMLElement {
  return element(
    'span',
    { class: 'unknown', 'data-tip': `Unknown: ${reason}` },
    element('span', { 'aria-hidden': 'true' }, DASH),
    spoken(`unknown: ${reason}`),
  );
}

/** The two cells of a pair, or one cell across both with the reason. `label` is the heading where rows are cards. */
export function pairCells(pair: Pair, label: string, extra = ''): readonly HTMLElement[] {
  const common = `number ${extra}`;
  if (!pair.known) {
    return [
      element(
        'td',
        { class: `${common} first pair-unknown`, colspan: 2, role: 'cell', 'data-label': label },
        unknownMark(pair.reason),
      ),
    ];
  }
  const doubt = pair.keepMeasuring;
  return [
    element(
      'td',
      { class: `${common} first${doubt ? ' doubtful' : ''}`, role: 'cell', 'data-label': label, 'data-tip': pair.note },
      element('span', { class: 'value' }, pair.medianText),
      doubt ? spoken(' keep measuring') : null,
    ),
    element('td', { class: `${common} second`, role: 'cell' }, element('span', { class: 'value mean' }, pair.meanText)),
  ];
}

/** A verdict based on few samples is drawn in outline: it may still change. */
export function verdictBadge({ verdict, reason, n }: Verdict): HTMLElement {
  const tentative = verdict !== 'unknown' && n < MIN_SAMPLES;
  const meaning = reason === null ? VERDICT_MEANINGS[verdict] : NO_VERDICT_WORDS[reason];
  return element(
    'span',
    {
      class: `verdict verdict-${verdict}${tentative ? ' tentative' : ''}`,
      'data-tip': tentative ? `${meaning}; keep measuring: ${KEEP_MEASURING_WORDS.few_samples}` : meaning,
    },
    VERDICT_LABELS[verdict],
    tentative ? spoken(' keep measuring') : null,
  );
}

/** Connection classes as one bar, with text for screen readers. */
export function connectionBar(shares: readonly ConnectionShare[]): HTMLElement {
  const words = describeConnections(shares);
  const bar = element('span', { class: 'connections', 'data-tip': words });
  for (const { connection, share } of shares) {
    const part = element('span', { class: `connection connection-${connection}`, 'aria-hidden': 'true' });
    part.style.flexGrow = String(share);
    bar.append(part);
  }
  bar.append(spoken(words));
  return bar;
}
