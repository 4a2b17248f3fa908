/**
 * The dashboard's charts, drawn without a browser. JavaScript with a .d.mts file, as the charts need the DOM's types and the
 * collector must not have them.
 */
import { parseHTML } from 'linkedom';
import { pickTexts } from '../analysis/text/texts.ts';
import { drawIn } from './draw.ts';
import { drawSpec } from './draw-spec.ts';
import { inPlainColours } from './palette.ts';

const { document } = parseHTML('<!doctype html><html><body></body></html>');

/** @type {import('./draw-chart.mjs').DrawChart} */
export function drawChart(chart, { width, language, id, label }) {
  drawIn(document);
  const svg = drawSpec(chart, width, pickTexts(language));
  svg.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', label);
  svg.setAttribute('font-family', 'sans-serif');
  // Plot counts ids per process; in a file they begin at 1.
  const ids = new Map();
  const own = (name) => {
    if (!ids.has(name)) ids.set(name, `${id}-${ids.size + 1}`);
    return ids.get(name);
  };
  const markup = svg.outerHTML.replace(/plot-[a-z]+-\d+/g, own);
  return {
    svg: inPlainColours(markup),
    width: Number(svg.getAttribute('width')),
    height: Number(svg.getAttribute('height')),
  };
}
