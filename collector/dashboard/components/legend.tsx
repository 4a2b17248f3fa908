export interface LegendItem {
  readonly label: string;
  /** A custom property of colours.css: `--phase-tls`. */
  readonly colour: string;
  /** How the chart draws it; filled by default. */
  readonly mark?: 'filled' | 'outline' | 'line' | 'band' | undefined;
  /** What the chart leaves out while this item is off; without it the item is no button. */
  readonly series?: string;
}

interface LegendProps {
  readonly items: readonly LegendItem[];
  readonly hidden?: ReadonlySet<string>;
  readonly toggle?: (series: string) => void;
}

export function Swatch({ colour, mark = 'filled' }: Pick<LegendItem, 'colour' | 'mark'>) {
  return <span class={`swatch swatch-${mark}`} aria-hidden="true" style={{ '--swatch': `var(${colour})` }} />;
}

const NONE: ReadonlySet<string> = new Set();

export function Legend({ items, hidden = NONE, toggle }: LegendProps) {
  return (
    <ul class="legend">
      {items.map(({ label, colour, mark, series }) => {
        const content = (
          <>
            <Swatch colour={colour} mark={mark} />
            {label}
          </>
        );
        return (
          <li key={label}>
            {series === undefined || toggle === undefined ? (
              content
            ) : (
              <button type="button" aria-pressed={!hidden.has(series)} onClick={() => toggle(series)}>
                {content}
              </button>
            )}
          </li>
        );
      })}
    </ul>
  );
}
