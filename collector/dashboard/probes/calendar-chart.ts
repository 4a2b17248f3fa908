import type { Availability } from '../../analysis/probes/probe-results.ts';
import { formatShare } from '../../analysis/text/format.ts';
import { availableShare, placeName } from '../model/probe-tables.ts';
import { svgElement } from '../render/element.ts';
import { formatMoment } from '../state/time-range.ts';

const ROW = 24;
/** Names that do not fit beside their marks are above them. */
const ROW_WITH_NAME = 42;
const BOTTOM = 20;
const RIGHT = 58;
const CHARACTER = 7.2;
const NAMES = 0.36;
const GAP = 1.5;
/** Width of a label under the axis, px. */
const TICK = 86;

/** A row per target and site, a mark per step; the failed part is red from the bottom. */
export function drawCalendar({ steps, rows }: Availability, width: number): SVGSVGElement {
  // If all rows belong to one host, the site alone is enough and fits on a phone.
  const oneHost = new Set(rows.map(({ host }) => host)).size === 1;
  const names = rows.map((row) => (oneHost ? (row.site ?? 'no site') : placeName(row)));
  const named = 16 + Math.max(0, ...names.map((name) => name.length)) * CHARACTER;
  const above = named > width * NAMES;
  const left = above ? 0 : named;
  const row = above ? ROW_WITH_NAME : ROW;
  const height = rows.length * row + BOTTOM + 4;
  const svg = svgElement('svg', { width, height, viewBox: `0 0 ${width} ${height}`, 'aria-hidden': 'true' });
  const wide = Math.max(1, (width - left - RIGHT) / Math.max(1, steps.length));
  rows.forEach(({ cells }, y) => {
    const top = (y + 1) * row - ROW;
    const words = names[y] ?? '';
    svg.append(
      above
        ? name(words, { x: 0, y: top, anchor: 'start' })
        : name(words, { x: left - 10, y: top + ROW / 2 + 4, anchor: 'end' }),
      share(availableShare(cells), width, top),
    );
    cells.forEach((cell, i) => {
      const [x, inner] = [left + i * wide, Math.max(0.5, wide - GAP)];
      const group = svgElement('g', {});
      group.append(
        svgElement('rect', {
          x,
          y: top + 4,
          width: inner,
          height: ROW - 8,
          rx: Math.min(3, inner / 3),
          fill: cell === null ? 'var(--hover)' : 'var(--connection-cache)',
        }),
      );
      if (cell === null) group.append(svgElement('title', {}, `${formatMoment(steps[i] ?? 0)}: no probe`));
      else {
        const all = cell.up + cell.down;
        // Height, not only colour, so that it works in greyscale too.
        const tall = cell.down === 0 ? 0 : Math.max(4, ((ROW - 8) * cell.down) / all);
        if (tall > 0) {
          group.append(
            svgElement('rect', {
              x,
              y: top + ROW - 4 - tall,
              width: inner,
              height: tall,
              rx: Math.min(3, inner / 3),
              fill: 'var(--connection-failed)',
            }),
          );
        }
        group.append(
          svgElement('title', {}, `${formatMoment(steps[i] ?? 0)}: ${formatShare(cell.up / all)} of ${all} answered`),
        );
      }
      svg.append(group);
    });
  });
  const every = Math.max(1, Math.ceil(TICK / wide));
  steps.forEach((at, i) => {
    if (i % every !== 0 || left + i * wide > width - RIGHT - TICK / 2) return;
    svg.append(
      svgElement(
        'text',
        { x: left + i * wide, y: height - 5, 'font-size': 11, fill: 'var(--quiet)' },
        formatMoment(at).slice(5),
      ),
    );
  });
  return svg;
}

function name(words: string, at: { readonly x: number; readonly y: number; readonly anchor: string }): SVGTextElement {
  return svgElement('text', { x: at.x, y: at.y, 'text-anchor': at.anchor, 'font-size': 12, fill: 'var(--ink)' }, words);
}

function share(words: string, width: number, top: number): SVGTextElement {
  return svgElement(
    'text',
    {
      x: width - 4,
      y: top + ROW / 2 + 4,
      'text-anchor': 'end',
      'font-size': 12,
      'font-weight': 600,
      fill: 'var(--ink)',
    },
    words,
  );
}
