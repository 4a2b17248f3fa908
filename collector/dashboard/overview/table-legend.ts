import { CONNECTION_LABELS } from '../../analysis/text/words.ts';
import { element, svgElement } from '../render/element.ts';

/** The common classes; the others are named on hover. */
const SHOWN_CONNECTIONS = ['new', 'reused', 'cache', 'opaque'] as const;

/** The table's legend in one line. */
export function tableLegend(): HTMLElement {
  return element(
    'ul',
    { class: 'legend' },
    element('li', {}, 'milliseconds'),
    element('li', {}, mark(svgElement('rect', { class: 'spread-median', x: 6, y: 1, width: 2, height: 12 })), 'median'),
    element('li', {}, mark(svgElement('path', { class: 'spread-mean', d: 'M7,3l4,4l-4,4l-4,-4z' })), 'average'),
    element(
      'li',
      {},
      mark(svgElement('rect', { class: 'spread-box', x: 1, y: 3, width: 12, height: 8, rx: 1.5 })),
      'middle half',
    ),
    element(
      'li',
      {},
      element('span', { class: 'doubtful' }, element('span', { class: 'value' }, '12')),
      'keep measuring',
    ),
    element('li', {}, element('span', { class: 'unknown' }, '–'), 'unknown; hover or open the row for the reason'),
    ...SHOWN_CONNECTIONS.map((connection) =>
      element(
        'li',
        {},
        element('span', { class: `swatch connection-${connection}`, 'aria-hidden': 'true' }),
        CONNECTION_LABELS[connection],
      ),
    ),
  );
}

function mark(shape: SVGElement): SVGSVGElement {
  return svgElement('svg', { width: 14, height: 14, viewBox: '0 0 14 14', 'aria-hidden': 'true' }, shape);
}
