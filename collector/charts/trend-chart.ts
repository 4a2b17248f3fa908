import { axisX, axisY, dot, gridY, line, text } from '@observablehq/plot';
import type { Texts } from '../analysis/text/english.ts';
import type { TrendPoint } from './chart-spec.ts';
import { draw } from './draw.ts';
import { axisRoom } from './marks.ts';

const DAYS_PER_TICK_PX = 60;

/** Median and average day by day. A day without samples is a gap, not a zero. */
export function trendChart(points: readonly TrendPoint[], width: number, { chart, numbers }: Texts): SVGSVGElement {
  const lines = (['mean', 'median'] as const).flatMap((name) =>
    points.map((point) => ({ day: chart.day(point.at), value: point[name] ?? Number.NaN, name })),
  );
  type Point = (typeof lines)[number];
  const colour = ({ name }: Point) => (name === 'median' ? 'var(--gap-median)' : 'var(--phase-wait)');
  const days = points.map(({ at }) => chart.day(at));
  const every = Math.max(1, Math.ceil(days.length / (width / DAYS_PER_TICK_PX)));
  const last = (['mean', 'median'] as const).flatMap((name) =>
    lines.filter((point) => point.name === name && !Number.isNaN(point.value)).slice(-1),
  );
  const highest = Math.max(0.1, ...lines.map(({ value }) => (Number.isNaN(value) ? 0 : value)));
  const { svg } = draw({
    width,
    height: 200,
    marginLeft: axisRoom(highest, numbers.ms),
    marginRight: 104,
    marginTop: 14,
    marginBottom: 30,
    x: { type: 'point', domain: days },
    y: { domain: [0, highest], nice: true },
    marks: [
      gridY({ ticks: 4 }),
      axisY({ ticks: 4, tickFormat: numbers.tick, label: null, tickSize: 0 }),
      axisX({ ticks: days.filter((_, i) => i % every === 0), label: null, tickSize: 3 }),
      line(lines, { x: 'day', y: 'value', z: 'name', stroke: colour, strokeWidth: 2 }),
      dot(lines, { x: 'day', y: 'value', r: 2, fill: colour, filter: ({ value }: Point) => !Number.isNaN(value) }),
      text(spread(last, highest), {
        x: 'day',
        y: 'place',
        text: ({ name, value }: Point) => chart[name === 'median' ? 'medianOf' : 'averageOf'](numbers.ms(value)),
        fill: colour,
        textAnchor: 'start',
        dx: 8,
        fontWeight: 700,
      }),
    ],
  });
  return svg;
}

/** Keeps the labels of two lines that end close to each other apart. */
function spread<P extends { readonly value: number }>(ends: readonly P[], highest: number): (P & { place: number })[] {
  const room = highest / 10;
  const [upper, lower] = [...ends].sort((a, b) => b.value - a.value);
  if (upper === undefined || lower === undefined) return ends.map((end) => ({ ...end, place: end.value }));
  const missing = Math.max(0, room - (upper.value - lower.value)) / 2;
  return [
    { ...upper, place: upper.value + missing },
    { ...lower, place: lower.value - missing },
  ];
}
