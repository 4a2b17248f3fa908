import { formatDifference } from '../../analysis/text/format.ts';
import type { Trend } from '../model/changes.ts';
import { unknownMark } from '../render/cells.ts';
import { element, spoken } from '../render/element.ts';

/** Arrow up for slower, down for faster, none if not significant; with text for screen readers. */
export function trendMark(trend: Trend): HTMLElement {
  if (trend.kind === 'off') return element('span', {});
  if (trend.kind === 'loading')
    return element(
      'span',
      { class: 'quiet change-loading' },
      element('span', { 'aria-hidden': 'true' }, '…'),
      spoken('comparing'),
    );
  if (trend.kind === 'unknown') return unknownMark(trend.reason);
  const { changed, difference, text } = trend;
  const direction = !changed ? 'same' : difference > 0 ? 'slower' : 'faster';
  return element(
    'span',
    { class: `change-mark change-${direction}`, 'data-tip': text },
    element(
      'span',
      { 'aria-hidden': 'true' },
      changed ? (difference > 0 ? '▲ ' : '▼ ') : '',
      formatDifference(difference),
    ),
    spoken(text),
  );
}
