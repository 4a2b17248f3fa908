import { type Child, element } from './element.ts';

export interface Tile {
  readonly label: string;
  readonly value: string;
  readonly note?: Child;
  /** Something to look after. */
  readonly warn?: boolean;
}

/** A few numbers that say how it stands, before any table. */
export function tiles(label: string, all: readonly Tile[]): HTMLElement {
  return element(
    'dl',
    { class: 'tiles', 'aria-label': label },
    ...all.map(({ label: term, value, note, warn = false }) =>
      element(
        'div',
        { class: warn ? 'tile warn' : 'tile' },
        element('dt', {}, term),
        element(
          'dd',
          {},
          element('span', { class: 'tile-value' }, value),
          note ? element('span', { class: 'quiet small' }, note) : null,
        ),
      ),
    ),
  );
}
