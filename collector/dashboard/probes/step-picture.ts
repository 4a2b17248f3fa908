import { formatMs } from '../../analysis/text/format.ts';
import { element, svgElement } from '../render/element.ts';

const WIDTH = 120;
const HEIGHT = 26;
const PAD = 3;

/** A sparkline of medians with gaps where nothing was measured, and the threshold as a dashed line. */
export function trendPicture(values: readonly (number | null)[], threshold: number | null): HTMLElement {
  const known = values.filter((value) => value !== null);
  const words =
    known.length === 0
      ? 'no trend'
      : `trend from ${formatMs(known[0] ?? 0)} to ${formatMs(known.at(-1) ?? 0)} ms over ${values.length} steps`;
  const top = Math.max(...known, threshold ?? 0, 1) * 1.05;
  // The axis does not start at 0, or every trend would be flat; the numbers are beside it.
  const bottom = Math.min(...known, threshold ?? Number.POSITIVE_INFINITY, top) * 0.8;
  const x = (i: number) => PAD + (i / Math.max(1, values.length - 1)) * (WIDTH - 2 * PAD);
  const y = (value: number) => HEIGHT - PAD - ((value - bottom) / (top - bottom || 1)) * (HEIGHT - 2 * PAD);
  const svg = svgElement('svg', {
    width: WIDTH,
    height: HEIGHT,
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    'aria-hidden': 'true',
  });
  if (threshold !== null) {
    svg.append(
      svgElement('line', {
        x1: 0,
        x2: WIDTH,
        y1: y(threshold),
        y2: y(threshold),
        stroke: 'var(--mean)',
        'stroke-dasharray': '3 3',
      }),
    );
  }
  let path = '';
  let drawing = false;
  values.forEach((value, i) => {
    if (value === null) drawing = false;
    else {
      path += `${drawing ? 'L' : 'M'}${x(i).toFixed(1)} ${y(value).toFixed(1)}`;
      drawing = true;
    }
  });
  svg.append(svgElement('path', { d: path, fill: 'none', stroke: 'var(--phase-wait)', 'stroke-width': 1.6 }));
  return element('span', { class: 'trend', role: 'img', 'aria-label': words, 'data-tip': words }, svg);
}

/** A median as a bar that is full at the threshold. */
export function thresholdBar(median: number | null, threshold: number): HTMLElement {
  const words = median === null ? 'not measured' : `${formatMs(median)} of ${formatMs(threshold)} ms`;
  const bar = element('span', { class: 'threshold', role: 'img', 'aria-label': words, 'data-tip': words });
  const part = element('span', { class: `threshold-part${median !== null && median > threshold ? ' over' : ''}` });
  part.style.width = `${Math.min(100, ((median ?? 0) / threshold) * 100)}%`;
  bar.append(part);
  return bar;
}
