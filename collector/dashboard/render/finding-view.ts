import { findingOf } from '../../analysis/summary/finding.ts';
import type { SummaryCell } from '../../analysis/summary/summary-document.ts';
import { findingText } from '../../analysis/text/finding-text.ts';
import { explainUnknown } from '../../analysis/text/unknown-reason.ts';
import { sentence } from '../api/describe-error.ts';
import { averageFigure, phasesFigure } from './cell-charts.ts';
import { verdictBadge } from './cells.ts';
import { element } from './element.ts';

/** The headline with its charts: what users wait for and why. */
export function findingView(cell: SummaryCell, heading: string, of: string): HTMLElement {
  const finding = findingOf(cell);
  const [lead = '', ...because] = finding === null ? nothingUsable(cell) : findingText(finding);
  const words = element(
    'section',
    { class: 'finding', 'aria-label': heading },
    element('p', { class: 'eyebrow' }, heading),
    element('h2', { class: 'lead' }, lead),
    element('p', { class: 'because' }, verdictBadge(cell.verdict), ' ', because.join(' ')),
  );
  return element(
    'div',
    { class: 'hero' },
    element('div', { class: 'hero-words' }, words, averageFigure(cell, of)),
    phasesFigure(cell, of),
  );
}

function nothingUsable(cell: SummaryCell): readonly string[] {
  const { host, evidence } = cell;
  const lead = `${host ?? 'Here'}: no request could be timed.`;
  const reason = sentence(explainUnknown(cell, 'ttlb'));
  if (evidence.opaque === 0) return [lead, reason];
  return [lead, reason, 'Its owner can allow your pages access with the response header Timing-Allow-Origin.'];
}
