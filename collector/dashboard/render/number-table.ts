import { type Child, element } from './element.ts';

/** A small table of numbers: the first column names the row. */
export function numberTable(
  caption: string,
  heads: readonly string[],
  rows: readonly (readonly Child[])[],
): HTMLTableElement {
  return element(
    'table',
    { class: 'numbers' },
    element('caption', { class: 'spoken' }, caption),
    element('thead', {}, element('tr', {}, ...heads.map((head) => element('th', { scope: 'col' }, head)))),
    element(
      'tbody',
      {},
      ...rows.map(([first = '', ...others]) =>
        element('tr', {}, element('th', { scope: 'row' }, first), ...others.map((other) => element('td', {}, other))),
      ),
    ),
  );
}
