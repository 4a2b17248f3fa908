export interface LegendItem {
  readonly label: string;
  /** A custom property of colours.css: `--phase-tls`. */
  readonly colour: string;
  /** How the chart draws it; filled by default. */
  readonly mark?: 'filled' | 'outline' | 'line' | 'band';
}

export function Legend({ items }: { readonly items: readonly LegendItem[] }) {
  return (
    <ul class="legend">
      {items.map(({ label, colour, mark = 'filled' }) => (
        <li key={label}>
          <span class={`swatch swatch-${mark}`} aria-hidden="true" style={{ '--swatch': `var(${colour})` }} />
          {label}
        </li>
      ))}
    </ul>
  );
}
