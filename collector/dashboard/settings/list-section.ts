import { button, type Child, element } from '../render/element.ts';

export interface ListItem {
  readonly title: string;
  /** In a few words what it is, while it is closed. */
  readonly note: string;
  readonly open: boolean;
  readonly content: () => readonly Child[];
  /** null where it may not be removed. */
  readonly remove: (() => void) | null;
}

/** Things that come and go: each opens to its fields. */
export function itemList(kind: string, items: readonly ListItem[]): HTMLElement {
  return element(
    'div',
    { class: 'items' },
    ...items.map(({ title, note, open, content, remove }, place) => {
      const body = element('div', { class: 'item-body' });
      const fill = () => {
        if (body.childElementCount > 0) return;
        body.append(...content().filter((child) => child !== null));
        if (remove !== null) {
          body.append(
            element(
              'p',
              { class: 'actions' },
              button({ class: 'plain danger', 'data-focus': `remove ${kind} ${place}` }, remove, `Remove ${title}`),
            ),
          );
        }
      };
      const made = element(
        'details',
        { class: 'item', 'data-keep': true, 'data-item': title },
        element(
          'summary',
          { 'data-focus': `${kind} ${place}` },
          element('strong', {}, title),
          element('span', { class: 'quiet small' }, ` ${note}`),
        ),
        body,
      );
      // Problems are shown at fields: all of them have to be there, open or not.
      fill();
      made.open = open;
      return made;
    }),
  );
}

/** Adds to a list. */
export function addButton(label: string, act: () => void): HTMLElement {
  return element('p', { class: 'actions' }, button({ 'data-focus': `add ${label}` }, act, label));
}
