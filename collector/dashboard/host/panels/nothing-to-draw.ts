import { element } from '../../render/element.ts';

/** Replaces a chart and explains why there is none. */
export function nothingToDraw(title: string, why: string): HTMLElement {
  return element('section', { class: 'chart' }, element('h3', {}, title), element('p', { class: 'quiet' }, why));
}
