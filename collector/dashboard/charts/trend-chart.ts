import { axisX, axisY, dot, gridY, lineY } from '@observablehq/plot';
import { draw } from '../../charts/draw.ts';
import { type TimelinePoint, timelineTop } from '../model/timeline-points.ts';
import { formatMs } from '../text/format.ts';
import { t } from '../text/t.ts';

const HEIGHT = 132;

/** Median and average over time, small. Steps without samples are gaps; the axis shows local time. */
export function trendChart(points: readonly TimelinePoint[], width: number): SVGSVGElement {
  const data = points as TimelinePoint[];
  const { top } = timelineTop(points.map((point) => ({ ...point, p75: null, p95: null })));
  // A value is drawn at the middle of its step.
  const x = ({ at, end }: TimelinePoint) => new Date((at.getTime() + end.getTime()) / 2);
  const alone = data.filter((point) => point.alone);
  return draw({
    width,
    height: HEIGHT,
    marginLeft: 46,
    marginRight: 14,
    marginTop: 8,
    marginBottom: 24,
    x: { type: 'time', domain: [points[0]?.at ?? new Date(0), points.at(-1)?.end ?? new Date(1)] },
    y: { domain: [0, top] },
    marks: [
      gridY({ ticks: 3 }),
      axisY({ ticks: 3, label: null, tickSize: 0, tickFormat: (ms: number) => formatMs(ms) }),
      axisX({
        ticks: Math.max(2, Math.floor(width / 140)),
        label: null,
        tickSize: 4,
        tickFormat: (at: Date) => t.overview.trend.tick(at),
      }),
      lineY(data, { x, y: 'mean', stroke: 'var(--mean)', strokeWidth: 1.75, strokeDasharray: '7 3', clip: true }),
      lineY(data, { x, y: 'median', stroke: 'var(--ink)', strokeWidth: 2.25, clip: true }),
      dot(alone, { x, y: 'mean', r: 3, fill: 'var(--mean)', symbol: 'diamond' }),
      dot(alone, { x, y: 'median', r: 3, fill: 'var(--ink)' }),
    ],
  });
}
