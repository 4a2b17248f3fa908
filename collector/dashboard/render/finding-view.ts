import type { SummaryCell } from '../../../shared/summary/summary-document.ts';
import { plainFinding } from '../model/plain-finding.ts';
import { verdictBadge } from './cells.ts';
import { element } from './element.ts';

/** The sentence on top: what users wait for and why, before any table. */
export function findingView(cell: SummaryCell, heading: string): HTMLElement {
  const finding = plainFinding(cell);
  return element(
    'section',
    { class: 'finding', 'aria-label': heading },
    element('p', { class: 'eyebrow' }, heading),
    element('p', { class: 'lead' }, finding === null ? 'Nothing could be measured here yet.' : finding.lead),
    element(
      'p',
      { class: 'because' },
      verdictBadge(cell.verdict.verdict),
      ' ',
      finding === null ? 'Open a row to see why its samples could not be used.' : finding.sentences.join(' '),
    ),
  );
}
