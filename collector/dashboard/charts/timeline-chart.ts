import { areaY, axisX, axisY, dot, gridY, lineY } from '@observablehq/plot';
import { draw } from '../../charts/draw.ts';
import { type TimelinePoint, timelineTop } from '../model/timeline-points.ts';
import { formatMoment } from '../state/time-range.ts';
import { formatMs } from '../text/format.ts';

const HEIGHT = 236;

/** Median and average over time, with p25 to p75 as a band and p95 above. Steps without samples are gaps. */
export function timelineChart(points: readonly TimelinePoint[], width: number): SVGSVGElement {
  const data = points as TimelinePoint[];
  const { top } = timelineTop(points);
  // A value is drawn at the middle of its step.
  const x = ({ at, end }: TimelinePoint) => new Date((at.getTime() + end.getTime()) / 2);
  const from = points[0]?.at ?? new Date(0);
  const to = points.at(-1)?.end ?? new Date(1);
  const line = (y: 'median' | 'mean' | 'p95', stroke: string, strokeWidth: number, dash?: string) =>
    lineY(data, { x, y, stroke, strokeWidth, clip: true, ...(dash === undefined ? {} : { strokeDasharray: dash }) });
  return draw({
    width,
    height: HEIGHT,
    marginLeft: 46,
    marginRight: 14,
    marginTop: 10,
    // Two lines: the hour, and the day where it starts.
    marginBottom: 40,
    x: { type: 'time', domain: [from, to] },
    y: { domain: [0, top] },
    marks: [
      gridY({ ticks: 4 }),
      axisY({ ticks: 4, label: null, tickSize: 0, tickFormat: (ms: number) => formatMs(ms) }),
      axisX({ ticks: Math.max(3, Math.floor(width / 120)), label: null, tickSize: 4 }),
      areaY(data, { x, y1: 'p25', y2: 'p75', fill: 'var(--phase-wait)', fillOpacity: 0.22, clip: true }),
      line('p95', 'var(--phase-wait)', 1.25, '3 3'),
      line('mean', 'var(--mean)', 1.75, '7 3'),
      line('median', 'var(--ink)', 2.25),
      dot(
        data.filter(({ alone }) => alone),
        { x, y: 'median', r: 3, fill: 'var(--ink)' },
      ),
      dot(
        data.filter(({ alone }) => alone),
        { x, y: 'mean', r: 3, fill: 'var(--mean)', symbol: 'diamond' },
      ),
      dot(
        data.filter(({ median }) => median !== null),
        {
          x,
          y: 'median',
          r: 6,
          fill: 'transparent',
          title: ({ at, n, median, mean, p95 }: TimelinePoint) =>
            `${formatMoment(at.getTime())}: median ${formatMs(median ?? 0)}, average ${formatMs(mean ?? 0)}, p95 ${formatMs(p95 ?? 0)} ms, n ${n ?? 0}`,
        },
      ),
    ],
  });
}
