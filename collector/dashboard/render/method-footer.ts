import type { MethodNote } from '../model/method-note.ts';
import { element } from './element.ts';

/** How the numbers above were computed; collapsed by default. */
export function methodFooter(note: MethodNote): HTMLElement {
  return element(
    'details',
    { class: 'method', 'data-keep': true },
    element(
      'summary',
      { 'data-focus': 'method' },
      element('span', { class: 'method-title' }, 'Method'),
      element('span', {}, note.precision),
      note.folded === null ? null : element('span', { class: 'folded' }, note.folded),
      element('span', {}, 'data ', element('code', {}, note.hash.slice(0, 12))),
    ),
    element(
      'dl',
      {},
      ...note.lines.flatMap(([term, text]) => [element('dt', {}, term), element('dd', {}, text)]),
      element('dt', {}, 'Rules'),
      element('dd', {}, element('ul', {}, ...note.rules.map((rule) => element('li', {}, rule)))),
      element('dt', {}, 'Data hash'),
      element('dd', {}, element('code', {}, note.hash)),
      element('dt', {}, 'Per connection'),
      element('dd', {}, 'over new connections only: the cost of opening a connection'),
      element('dt', {}, 'Per request'),
      element('dd', {}, 'over all network requests; a reused connection counts 0: the overall cost for users'),
    ),
  );
}
