import { type Markish, type PlotOptions, plot } from '@observablehq/plot';

/** null draws in the page's own document. */
let drawnIn: Document | null = null;

/** Makes all charts draw in `document`: reports have no page. */
export function drawIn(document: Document): void {
  drawnIn = document;
}

/** A drawn chart with its scales: px of a value. */
export interface Plotted {
  readonly svg: SVGSVGElement;
  x(value: number | Date): number;
  y(value: string): number;
  /** Of a facet. */
  fy(value: string): number;
  /** Height of a row of `y`, or of a facet. */
  readonly row: number;
}

interface ChartOptions extends PlotOptions {
  readonly marks: Markish[];
  /** Around the frame, px. */
  readonly margins: Readonly<Record<'top' | 'right' | 'bottom' | 'left', number>>;
}

/**
 * A Plot for a strict Content-Security-Policy, which refuses its inline `<style>`: the element is removed, and its few rules
 * are in dashboard.css. Colours are CSS variables, so a chart follows light and dark without being drawn again; they are taken
 * as they are, since Plot would look for a colour scheme where a mark has no data.
 */
export function draw({ margins, ...options }: ChartOptions): Plotted {
  const drawn = plot({
    color: { type: 'identity' },
    ...options,
    marginTop: margins.top,
    marginRight: margins.right,
    marginBottom: margins.bottom,
    marginLeft: margins.left,
    className: 'plot',
    ...(drawnIn === null ? {} : { document: drawnIn }),
  });
  const svg = drawn.localName === 'svg' ? drawn : drawn.querySelector('svg');
  if (svg === null) throw new Error('Plot drew nothing');
  for (const style of svg.querySelectorAll('style')) style.remove();
  // The chart as a whole is described by its container; names on groups without a role are invalid (axe-core).
  for (const group of svg.querySelectorAll('g[aria-label]')) group.removeAttribute('aria-label');
  const scale = (name: 'x' | 'y' | 'fy') => (value: unknown) => Number(drawn.scale(name)?.apply(value) ?? 0);
  return {
    svg: svg as SVGSVGElement,
    x: scale('x'),
    y: scale('y'),
    fy: scale('fy'),
    row: drawn.scale('fy')?.bandwidth ?? drawn.scale('y')?.bandwidth ?? 0,
  };
}

/** Room for the label of a tick, px. */
const TICK_ROOM = 70;

/** As many ticks as a horizontal axis of this length has room for. */
export function countTicks(length: number): number {
  return Math.max(1, length / TICK_ROOM);
}

/** Assumed width of a letter, px. */
const LETTER = 7;

/** Room for the labels of rows, before the frame, px. */
export function labelRoom(labels: readonly string[]): number {
  return 14 + LETTER * Math.max(...labels.map(({ length }) => length));
}
