import { element } from './element.ts';

export interface LegendItem {
  readonly label: string;
  /** A custom property of colours.css: `--phase-tls`. */
  readonly colour: string;
  /** How the chart draws it; filled by default. */
  readonly mark?: 'filled' | 'outline' | 'line' | 'band';
}

export function legendList(items: readonly LegendItem[]): HTMLElement {
  return element(
    'ul',
    { class: 'legend' },
    ...items.map(({ label, colour, mark = 'filled' }) => {
      const swatch = element('span', { class: `swatch swatch-${mark}`, 'aria-hidden': 'true' });
      swatch.style.setProperty('--swatch', `var(${colour})`);
      return element('li', {}, swatch, label);
    }),
  );
}
