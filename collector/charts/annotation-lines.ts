import { type Markish, rect } from '@observablehq/plot';
import type { ChartAnnotation } from './chart-spec.ts';
import { labelledLines } from './marks.ts';

/** More labels than fit into these are left out; all are in the list below the chart. */
const MAX_ROWS = 3;
/** Characters of a label: fewer in a narrow chart, so that more labels have room. */
const MAX_LABEL = 40;
const MIN_LABEL = 12;
const PX_PER_CHARACTER = 20;

/**
 * A labelled rule at each moment and a shade over each period, for a chart over time. `room` is what the labels take above the
 * frame, px; 0 without any.
 * @param width of the frame, px
 */
export function annotationLines(
  annotations: readonly ChartAnnotation[],
  [from, to]: readonly [from: Date, to: Date],
  width: number,
): { readonly room: number; readonly marks: readonly Markish[] } {
  const start = from.getTime();
  const longest = Math.max(MIN_LABEL, Math.min(MAX_LABEL, Math.floor(width / PX_PER_CHARACTER)));
  const x = (at: number) => (width * (at - start)) / (to.getTime() - start);
  const shown = annotations.filter(({ at, until }) => at < to.getTime() && (until ?? at) >= start);
  if (shown.length === 0) return { room: 0, marks: [] };
  // One that began earlier is named where it becomes visible.
  const lines = shown.map(({ at, text }) => ({
    at: Math.max(at, start),
    label: text.length > longest ? `${text.slice(0, longest - 1)}…` : text,
    colour: 'var(--quiet)',
    dashed: true,
  }));
  const { room, marks } = labelledLines(lines, x, width, MAX_ROWS);
  const periods = shown.flatMap(({ at, until }) =>
    until === null ? [] : [{ at: Math.max(at, start), until: Math.min(until, to.getTime()) }],
  );
  const shade = rect(periods, { x1: 'at', x2: 'until', fill: 'var(--quiet)', fillOpacity: 0.14 });
  return { room, marks: periods.length === 0 ? marks : [shade, ...marks] };
}
