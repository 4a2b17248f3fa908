import { axisY, gridY, rectY } from '@observablehq/plot';
import { draw } from '../../charts/draw.ts';
import type { Drawing } from '../../charts/drawing.ts';
import { axisRoom, bottomAxis, labelledLines } from '../../charts/marks.ts';
import { formatGap, type IdleStep, type KeepAlive } from '../model/keep-alive-gaps.ts';
import { formatCount } from '../text/format.ts';
import { t } from '../text/t.ts';

const RIGHT = 20;
const HEIGHT = 150;
const BOTTOM = 30;
/** Minimum distance between the labels of the axis, px. */
const LABEL_ROOM = 52;
/** Ratio of the ends of the bar for the shortest pauses, which start at 0: a log axis has no 0. */
const SHORT_WIDTH = 1.5;

/** Round durations for the labels, ms. */
const TICKS = [10, 30, 100, 300, 1000, 5000, 15_000, 60_000, 300_000, 3_600_000];

/** A filter that drops positions too close to the last one kept. */
function spaced(x: (at: number) => number): (at: number) => boolean {
  let last = Number.NEGATIVE_INFINITY;
  return (at) => {
    if (x(at) - last < LABEL_ROOM) return false;
    last = x(at);
    return true;
  };
}

/** Requests by the pause before them: on a reused connection or on a new one. */
export function idleChart(
  { steps, timeoutMs }: KeepAlive,
  width: number,
  hidden: ReadonlySet<string> = new Set(),
): Drawing {
  const reused = (step: IdleStep) => (hidden.has('reused') ? 0 : step.reused);
  const opened = (step: IdleStep) => (hidden.has('new') ? 0 : step.opened);
  const low = Math.min(...steps.map(({ from, to }) => (from === 0 ? to / SHORT_WIDTH : from)));
  const high = Math.max(low * 2, ...steps.map(({ to }) => to));
  const highest = Math.max(1, ...steps.map((step) => reused(step) + opened(step)));
  const left = axisRoom(highest, formatCount);
  const span = width - left - RIGHT;
  const place = (at: number) => (span * Math.log(at / low)) / Math.log(high / low);
  const lines = labelledLines(
    timeoutMs === null ? [] : [{ at: timeoutMs, label: t.charts.timeout(formatGap(timeoutMs)), colour: 'var(--ink)' }],
    place,
    span,
  );
  const pieces = steps.flatMap((step) => [
    { ...step, kind: 'reused', low: 0, high: reused(step) },
    { ...step, kind: 'new', low: reused(step), high: reused(step) + opened(step) },
  ]);
  type Piece = (typeof pieces)[number];
  const ticks = TICKS.filter((at) => at >= low && at <= high).filter(spaced(place));
  const { svg, x } = draw({
    width,
    height: HEIGHT + lines.room,
    margins: { top: lines.room, right: RIGHT, bottom: BOTTOM, left },
    x: { type: 'log', domain: [low, high], axis: null },
    y: { domain: [0, highest], nice: true },
    marks: [
      gridY({ ticks: 3 }),
      axisY({ ticks: 3, label: null, tickSize: 0, tickFormat: (count: number) => formatCount(count) }),
      ...bottomAxis(ticks, formatGap),
      rectY(
        pieces.filter((piece) => piece.high > piece.low),
        {
          x1: ({ from }: Piece) => Math.max(from, low),
          x2: 'to',
          y1: 'low',
          y2: 'high',
          fill: ({ kind }: Piece) => `var(--connection-${kind})`,
          insetLeft: 0.5,
          insetRight: 0.5,
        },
      ),
      ...lines.marks,
    ],
  });
  const marks = steps.map((step) => {
    const start = x(Math.max(step.from, low));
    const connection = ['reused', 'new'].filter((kind) => !hidden.has(kind));
    return {
      box: { x: start, y: lines.room, width: x(step.to) - start, height: HEIGHT - BOTTOM },
      title: `${formatGap(step.from)} – ${formatGap(step.to)}`,
      lines: [
        { label: t.connections.reused, value: formatCount(step.reused), colour: '--connection-reused' },
        { label: t.connections.new, value: formatCount(step.opened), colour: '--connection-new' },
      ],
      requests: { metric: 'idle', min: String(step.from), max: String(step.to), connection },
    };
  });
  return { svg, marks };
}
