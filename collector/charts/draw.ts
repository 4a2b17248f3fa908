import { type Markish, type PlotOptions, plot } from '@observablehq/plot';

/** The page's own, until a report says where it draws. */
let drawnIn: Document | null = null;

/** Reports draw the same charts where there is no page: in a document of their own, once and for all. */
export function drawIn(document: Document): void {
  drawnIn = document;
}

/**
 * A Plot that a strict Content-Security-Policy lets through: its inline `<style>` is refused there, so the few rules
 * it holds are in dashboard.css and the element is taken out before the chart reaches the page. Colours are CSS
 * variables, so a chart follows light and dark without being drawn again.
 */
export function draw(options: PlotOptions & { readonly marks: Markish[] }): SVGSVGElement {
  const drawn = plot({ ...options, className: 'plot', ...(drawnIn === null ? {} : { document: drawnIn }) });
  const svg = drawn.localName === 'svg' ? drawn : drawn.querySelector('svg');
  if (svg === null) throw new Error('Plot drew nothing');
  for (const style of svg.querySelectorAll('style')) style.remove();
  // The words for the whole picture stand around it; names of marks on groups are names on nothing (axe-core).
  for (const group of svg.querySelectorAll('g[aria-label]')) group.removeAttribute('aria-label');
  return svg as SVGSVGElement;
}

/** Only as many digits as the axis has room for. */
export const AXIS_TICKS_PER_PX = 1 / 90;
