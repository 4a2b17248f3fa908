import { type Child, element } from './element.ts';

/** A titled box of a view. */
export function panelBox(title: string, intro: Child, ...content: readonly Child[]): HTMLElement {
  return element(
    'section',
    { class: 'panel box', 'aria-label': title },
    element(
      'div',
      { class: 'panel-head' },
      element('h2', {}, title),
      intro === null ? null : element('p', { class: 'quiet small box-intro' }, intro),
    ),
    element('div', { class: 'box-body' }, ...content),
  );
}

/** The head of a view with its answer in one sentence. */
export function viewHead(title: string, lead: Child, ...more: readonly Child[]): HTMLElement {
  return element(
    'section',
    { class: 'finding view-head' },
    element('h1', { class: 'eyebrow' }, title),
    lead === null ? null : element('p', { class: 'lead' }, lead),
    ...more,
  );
}
