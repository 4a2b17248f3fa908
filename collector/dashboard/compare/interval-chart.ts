import { formatDifference } from '../../analysis/text/format.ts';
import type { CompareCell } from '../../questions/compare.ts';
import { groupName, outcomeOf } from '../model/compare-words.ts';
import { svgElement } from '../render/element.ts';

/** Maximum number of groups drawn; the table has all. */
const MAX_DRAWN = 30;
const ROW = 26;
const TOP = 22;
const RIGHT = 70;
/** Maximum width of the names as a part of the whole. */
const NAMES = 0.34;
const CHARACTER = 6.6;
/** Margin beyond the widest interval, as a part of it. */
const MARGIN = 0.06;

/** A line for each interval, a dot for each difference, and a vertical line at 0. */
export function drawIntervals(cells: readonly CompareCell[], width: number): SVGSVGElement {
  const drawn = cells.filter(({ change }) => change !== null).slice(0, MAX_DRAWN);
  const height = TOP + drawn.length * ROW + 8;
  const svg = svgElement('svg', { width, height, viewBox: `0 0 ${width} ${height}`, 'aria-hidden': 'true' });
  const names = drawn.map(groupName);
  const left = Math.min(width * NAMES, 16 + Math.max(0, ...names.map((name) => name.length)) * CHARACTER);
  const edges = drawn.flatMap(({ change }) => (change === null ? [] : [...change.interval, change.difference]));
  const [low, high] = [Math.min(0, ...edges), Math.max(0, ...edges)];
  const room = (high - low || 1) * MARGIN;
  const x = (value: number) =>
    left + ((value - low + room) / (high - low + 2 * room || 1)) * Math.max(1, width - left - RIGHT);
  svg.append(
    svgElement('line', { x1: x(0), x2: x(0), y1: TOP - 6, y2: height - 4, stroke: 'var(--line-strong)' }),
    text('no change', x(0), 11, 'middle', 'var(--quiet)', 11.5),
  );
  drawn.forEach((cell, row) => {
    const { change } = cell;
    if (change === null) return;
    const y = TOP + row * ROW + ROW / 2;
    const outcome = outcomeOf(cell);
    const colour = outcome === 'slower' ? 'var(--mean)' : outcome === 'faster' ? 'var(--phase-tcp)' : 'var(--quiet)';
    const name = names[row] ?? '';
    const most = Math.floor(left / CHARACTER) - 2;
    const line = svgElement('g', {});
    line.append(
      svgElement('title', {}, `${name}: ${formatDifference(change.difference)} ms`),
      text(name.length > most ? `${name.slice(0, most - 1)}…` : name, left - 10, y + 4, 'end', 'var(--ink)', 12),
      svgElement('line', {
        x1: x(change.interval[0]),
        x2: Math.max(x(change.interval[1]), x(change.interval[0]) + 1),
        y1: y,
        y2: y,
        stroke: colour,
        'stroke-width': 5,
        'stroke-opacity': 0.4,
        'stroke-linecap': 'round',
      }),
      svgElement('circle', { cx: x(change.difference), cy: y, r: 4.5, fill: colour }),
      text(formatDifference(change.difference), width - RIGHT + 14, y + 4, 'start', 'var(--ink)', 12, change.changed),
    );
    svg.append(line);
  });
  return svg;
}

function text(
  words: string,
  x: number,
  y: number,
  anchor: 'start' | 'middle' | 'end',
  fill: string,
  size: number,
  strong = false,
): SVGTextElement {
  return svgElement(
    'text',
    { x, y, 'text-anchor': anchor, fill, 'font-size': size, 'font-weight': strong ? 700 : 400 },
    words,
  );
}
