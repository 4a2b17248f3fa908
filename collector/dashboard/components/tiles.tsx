import type { ComponentChildren } from 'preact';

export interface Tile {
  readonly label: string;
  readonly value: string;
  readonly note?: ComponentChildren;
  /** Needs attention. */
  readonly warn?: boolean;
}

/** A few key numbers. */
export function Tiles({ label, tiles }: { readonly label: string; readonly tiles: readonly Tile[] }) {
  return (
    <dl class="tiles" aria-label={label}>
      {tiles.map(({ label: term, value, note, warn = false }) => (
        <div key={term} class={warn ? 'tile warn' : 'tile'}>
          <dt>{term}</dt>
          <dd>
            <span class="tile-value">{value}</span>
            {note ? <span class="quiet small">{note}</span> : null}
          </dd>
        </div>
      ))}
    </dl>
  );
}
