import { button, type Child, element } from '../render/element.ts';

export interface ListItem {
  readonly title: string;
  /** Summary of a closed item. */
  readonly note: string;
  readonly open: boolean;
  readonly content: () => readonly Child[];
  /** Null if it cannot be removed. */
  readonly remove: (() => void) | null;
}

/** A list of collapsible items with their fields. */
export function itemList(kind: string, items: readonly ListItem[]): HTMLElement {
  return element(
    'div',
    { class: 'items' },
    ...items.map(({ title, note, open, content, remove }, index) => {
      const body = element('div', { class: 'item-body' });
      const fill = () => {
        if (body.childElementCount > 0) return;
        body.append(...content().filter((child) => child !== null));
        if (remove !== null) {
          body.append(
            element(
              'p',
              { class: 'actions' },
              button({ class: 'plain danger', 'data-focus': `remove ${kind} ${index}` }, remove, `Remove ${title}`),
            ),
          );
        }
      };
      const made = element(
        'details',
        { class: 'item', 'data-keep': true, 'data-item': title },
        element(
          'summary',
          { 'data-focus': `${kind} ${index}` },
          element('strong', {}, title),
          element('span', { class: 'quiet small' }, ` ${note}`),
        ),
        body,
      );
      // Errors are shown at fields, so the fields must exist in closed items too.
      fill();
      made.open = open;
      return made;
    }),
  );
}

export function addButton(label: string, act: () => void): HTMLElement {
  return element('p', { class: 'actions' }, button({ 'data-focus': `add ${label}` }, act, label));
}
