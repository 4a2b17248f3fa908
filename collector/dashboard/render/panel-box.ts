import { type Child, element } from './element.ts';

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
