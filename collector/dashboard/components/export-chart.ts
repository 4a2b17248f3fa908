import { t } from '../text/t.ts';
import { saveFile } from './save.ts';

/** PNG pixels per CSS pixel: sharp on paper and on dense screens. */
const PNG_SCALE = 2;
/** Margin around the chart, px. */
const MARGIN = 16;
const TITLE_LINE = 24;
const TEXT_LINE = 17;

export interface ExportedChart {
  readonly title: string;
  /** Lines under the title. */
  readonly lines: readonly string[];
  readonly legend: readonly { readonly label: string; readonly colour: string }[];
}

export function saveSvg(svg: SVGSVGElement, chart: ExportedChart): void {
  saveFile(`${chart.title}.svg`, new Blob([standaloneSvg(svg, chart).text], { type: 'image/svg+xml' }));
}

export async function savePng(svg: SVGSVGElement, chart: ExportedChart): Promise<void> {
  const { text, width, height } = standaloneSvg(svg, chart);
  const image = new Image();
  // A data URL, because the content security policy allows images from nowhere else.
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = width * PNG_SCALE;
  canvas.height = height * PNG_SCALE;
  const context = canvas.getContext('2d');
  if (context === null) throw new Error(t.charts.noCanvas);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (blob === null) throw new Error(t.charts.noPng);
  saveFile(`${chart.title}.png`, blob);
}

/** A standalone SVG with title and legend, and all colours resolved in the current light or dark scheme. */
function standaloneSvg(svg: SVGSVGElement, { title, lines, legend }: ExportedChart) {
  const page = getComputedStyle(document.body);
  const colour = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const width = svg.width.baseVal.value + 2 * MARGIN;
  const head = MARGIN + TITLE_LINE + TEXT_LINE * (lines.length + (legend.length > 0 ? 1 : 0)) + 6;
  const height = head + svg.height.baseVal.value + MARGIN;
  const made = document.implementation.createDocument('http://www.w3.org/2000/svg', 'svg', null);
  const root = made.documentElement;
  const add = (tag: string, attributes: Record<string, string | number>, text?: string) => {
    const child = made.createElementNS('http://www.w3.org/2000/svg', tag);
    for (const [name, value] of Object.entries(attributes)) child.setAttribute(name, String(value));
    if (text !== undefined) child.textContent = text;
    root.append(child);
  };
  for (const [name, value] of Object.entries({ width, height, viewBox: `0 0 ${width} ${height}` })) {
    root.setAttribute(name, String(value));
  }
  root.setAttribute('font-family', page.fontFamily);
  add('title', {}, title);
  add('rect', { width, height, fill: colour('--panel') });
  const ink = colour('--ink');
  add('text', { x: MARGIN, y: MARGIN + 13, 'font-size': 15, 'font-weight': 700, fill: ink }, title);
  let y = MARGIN + TITLE_LINE + 9;
  for (const line of lines) {
    add('text', { x: MARGIN, y, 'font-size': 12, fill: colour('--quiet') }, line);
    y += TEXT_LINE;
  }
  let x = MARGIN;
  for (const { label, colour: fill } of legend) {
    add('rect', { x, y: y - 10, width: 12, height: 12, rx: 3, fill });
    add('text', { x: x + 17, y, 'font-size': 12, fill: colour('--quiet') }, label);
    x += 40 + label.length * 6.4;
  }
  const picture = made.importNode(resolved(svg), true);
  picture.setAttribute('x', String(MARGIN));
  picture.setAttribute('y', String(head));
  root.append(picture);
  return { text: new XMLSerializer().serializeToString(made), width, height };
}

/** A copy without `var(--ink)` and `currentColor`, which have no meaning outside the page. */
function resolved(svg: SVGSVGElement): SVGSVGElement {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const originals = [svg, ...svg.querySelectorAll('*')];
  for (const [index, element] of [copy, ...copy.querySelectorAll('*')].entries()) {
    const original = originals[index];
    if (original === undefined) continue;
    const style = getComputedStyle(original);
    for (const name of ['fill', 'stroke', 'stop-color'] as const) {
      const value = element.getAttribute(name);
      if (value?.includes('var(') || value === 'currentColor') element.setAttribute(name, style.getPropertyValue(name));
    }
    element.removeAttribute('class');
    element.removeAttribute('style');
  }
  copy.setAttribute('font-size', getComputedStyle(svg).fontSize);
  return copy;
}
