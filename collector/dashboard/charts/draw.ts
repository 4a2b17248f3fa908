import { type Markish, type PlotOptions, plot } from '@observablehq/plot';

/**
 * A Plot that a strict Content-Security-Policy lets through: its inline `<style>` is refused there, so the few rules
 * it holds are in dashboard.css and the element is taken out before the chart reaches the page. Colours are CSS
 * variables, so a chart follows light and dark without being drawn again.
 */
export function draw(options: PlotOptions & { readonly marks: Markish[] }): SVGSVGElement {
  const drawn = plot({ ...options, className: 'plot' });
  const svg = drawn instanceof SVGSVGElement ? drawn : drawn.querySelector('svg');
  if (svg === null) throw new Error('Plot drew nothing');
  for (const style of svg.querySelectorAll('style')) style.remove();
  return svg as SVGSVGElement;
}

/** Only as many digits as the axis has room for. */
export const AXIS_TICKS_PER_PX = 1 / 90;
