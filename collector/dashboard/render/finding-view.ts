import { findingOf } from '../../../shared/summary/finding.ts';
import { findingText } from '../../../shared/summary/finding-text.ts';
import type { SummaryCell } from '../../../shared/summary/summary-document.ts';
import { averageFigure, phasesFigure } from './cell-charts.ts';
import { verdictBadge } from './cells.ts';
import { element } from './element.ts';

/** The sentence on top, with its picture: what users wait for and why, before any table. */
export function findingView(cell: SummaryCell, heading: string): HTMLElement {
  const finding = findingOf(cell);
  const [lead = 'Nothing could be measured here yet.', ...because] = finding === null ? [] : findingText(finding);
  const words = element(
    'section',
    { class: 'finding', 'aria-label': heading },
    element('p', { class: 'eyebrow' }, heading),
    element('p', { class: 'lead' }, lead),
    element(
      'p',
      { class: 'because' },
      verdictBadge(cell.verdict),
      ' ',
      because.join(' ') || 'None of its samples could be used for times. Open a row of the table to see why.',
    ),
  );
  return element(
    'div',
    { class: 'hero' },
    element('div', { class: 'hero-words' }, words, averageFigure(cell)),
    phasesFigure(cell),
  );
}
