import { element } from '../render/element.ts';
import type { Fact } from './connection-facts.ts';

/** Numbers in large type, each with its meaning below. */
export function factsView(title: string, facts: readonly Fact[]): HTMLElement {
  return element(
    'section',
    { class: 'panel facts' },
    element('div', { class: 'panel-head' }, element('h2', {}, title)),
    element(
      'dl',
      { class: 'fact-grid' },
      ...facts.map(({ label, value, meaning, doubtful = false }) =>
        element(
          'div',
          { class: `fact${doubtful ? ' doubtful' : ''}` },
          element('dt', {}, label),
          element('dd', {}, element('span', { class: 'value' }, value), element('span', { class: 'meaning' }, meaning)),
        ),
      ),
    ),
  );
}
