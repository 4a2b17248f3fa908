import { type Child, element } from './element.ts';

export interface Tile {
  readonly label: string;
  readonly value: string;
  readonly note?: Child;
  /** Needs attention. */
  readonly warn?: boolean;
}

/** A few key numbers. */
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
