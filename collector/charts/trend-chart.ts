import { axisX, axisY, dot, gridY, line, text } from '@observablehq/plot';
import type { Texts } from '../analysis/text/english.ts';
import { annotationLines } from './annotation-lines.ts';
import type { ChartSpec } from './chart-spec.ts';
import { draw } from './draw.ts';
import { axisRoom } from './marks.ts';

const DAY_MS = 24 * 3_600_000;
const DAYS_PER_TICK_PX = 60;
/** Small enough for the first page of a report. */
const HEIGHT = 140;
const TOP = 14;
const BOTTOM = 30;
/** Height of a label. */
const LABEL = 13;
const RIGHT = 104;

/** Median and average day by day, and what happened. A day without samples is a gap, not a zero. */
export function trendChart(
  { points, annotations }: Pick<Extract<ChartSpec, { kind: 'trend' }>, 'points' | 'annotations'>,
  width: number,
  { chart, numbers }: Texts,
): SVGSVGElement {
  // A value is drawn at the middle of its day.
  const lines = (['mean', 'median'] as const).flatMap((name) =>
    points.map((point) => ({ at: point.at + DAY_MS / 2, value: point[name] ?? Number.NaN, name })),
  );
  type Point = (typeof lines)[number];
  const colour = ({ name }: Point) => (name === 'median' ? 'var(--gap-median)' : 'var(--phase-wait)');
  const every = Math.max(1, Math.ceil(points.length / (width / DAYS_PER_TICK_PX)));
  const last = (['mean', 'median'] as const).flatMap((name) =>
    lines.filter((point) => point.name === name && !Number.isNaN(point.value)).slice(-1),
  );
  const highest = Math.max(0.1, ...lines.map(({ value }) => (Number.isNaN(value) ? 0 : value)));
  const from = points[0]?.at ?? 0;
  const to = (points.at(-1)?.at ?? 0) + DAY_MS;
  const left = axisRoom(highest, numbers.ms);
  const happened = annotationLines(annotations, [new Date(from), new Date(to)], width - left - RIGHT);
  const top = Math.max(TOP, happened.room);
  const { svg } = draw({
    width,
    height: HEIGHT - TOP + top,
    margins: { top: top, right: RIGHT, bottom: BOTTOM, left },
    x: { type: 'linear', domain: [from, to] },
    y: { domain: [0, highest], nice: true },
    marks: [
      gridY({ ticks: 4 }),
      axisY({ ticks: 4, tickFormat: numbers.tick, label: null, tickSize: 0 }),
      axisX(
        points.filter((_, i) => i % every === 0).map(({ at }) => at + DAY_MS / 2),
        { tickFormat: (middle: number) => chart.day(middle - DAY_MS / 2), label: null, tickSize: 3 },
      ),
      line(lines, { x: 'at', y: 'value', z: 'name', stroke: colour, strokeWidth: 2 }),
      dot(lines, { x: 'at', y: 'value', r: 2, fill: colour, filter: ({ value }: Point) => !Number.isNaN(value) }),
      text(spread(last, highest), {
        x: 'at',
        y: 'place',
        text: ({ name, value }: Point) => chart[name === 'median' ? 'medianOf' : 'averageOf'](numbers.ms(value)),
        fill: colour,
        textAnchor: 'start',
        dx: 8,
        fontWeight: 700,
      }),
      ...happened.marks,
    ],
  });
  return svg;
}

/** Keeps the labels of two lines that end close to each other apart. */
function spread<P extends { readonly value: number }>(ends: readonly P[], highest: number): (P & { place: number })[] {
  const room = (highest * LABEL) / (HEIGHT - TOP - BOTTOM);
  const [upper, lower] = [...ends].sort((a, b) => b.value - a.value);
  if (upper === undefined || lower === undefined) return ends.map((end) => ({ ...end, place: end.value }));
  const missing = Math.max(0, room - (upper.value - lower.value)) / 2;
  return [
    { ...upper, place: upper.value + missing },
    { ...lower, place: lower.value - missing },
  ];
}
