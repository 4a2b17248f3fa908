import { element } from '../../render/element.ts';

/** In the place of a chart: why there is none. */
export function nothingToDraw(title: string, why: string): HTMLElement {
  return element('section', { class: 'chart' }, element('h3', {}, title), element('p', { class: 'quiet' }, why));
}
