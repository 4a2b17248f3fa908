import { axisX, axisY, dot, gridY, lineY } from '@observablehq/plot';
import { annotationLines } from '../../charts/annotation-lines.ts';
import type { ChartAnnotation } from '../../charts/chart-spec.ts';
import { draw } from '../../charts/draw.ts';
import type { Drawing } from '../../charts/drawing.ts';
import { axisRoom } from '../../charts/marks.ts';
import { type TimelinePoint, type TimelineSeries, timelineTop } from '../model/timeline-points.ts';
import { formatMs } from '../text/format.ts';
import { formatDay, formatTime, startsDay } from '../text/moment.ts';
import { dayTicks } from './day-ticks.ts';
import { timeMarks } from './time-marks.ts';

const RIGHT = 24;
const HEIGHT = 132;
const TOP = 8;
const BOTTOM = 24;

/** Median and average over time, small. Steps without samples are gaps; the axis shows local time. */
export function trendChart(
  points: readonly TimelinePoint[],
  width: number,
  hidden: ReadonlySet<string>,
  annotations: readonly ChartAnnotation[] = [],
): Drawing {
  const data = points as TimelinePoint[];
  const shows = (series: TimelineSeries) => !hidden.has(series);
  const { top: highest } = timelineTop(points, new Set([...hidden, 'band', 'p95']));
  // A value is drawn at the middle of its step.
  const middle = ({ at, end }: TimelinePoint) => new Date((at.getTime() + end.getTime()) / 2);
  const alone = data.filter((point) => point.alone);
  const from = points[0]?.at ?? new Date(0);
  const to = points.at(-1)?.end ?? new Date(1);
  const left = axisRoom(highest, formatMs);
  const lines = annotationLines(annotations, [from, to], width - left - RIGHT);
  const top = Math.max(TOP, lines.room);
  const { svg, x } = draw({
    width,
    height: HEIGHT - TOP + top,
    marginLeft: left,
    marginRight: RIGHT,
    marginTop: top,
    marginBottom: BOTTOM,
    x: { type: 'time', domain: [from, to] },
    y: { domain: [0, highest] },
    marks: [
      gridY({ ticks: 3 }),
      axisY({ ticks: 3, label: null, tickSize: 0, tickFormat: (ms: number) => formatMs(ms) }),
      axisX({
        ticks: dayTicks(from, to, Math.max(3, Math.floor(width / 140))),
        label: null,
        tickSize: 4,
        tickFormat: (at: Date) => (startsDay(at.getTime()) ? formatDay : formatTime)(at.getTime()),
      }),
      shows('mean')
        ? lineY(data, {
            x: middle,
            y: 'mean',
            stroke: 'var(--mean)',
            strokeWidth: 1.75,
            strokeDasharray: '7 3',
            clip: true,
          })
        : null,
      shows('median')
        ? lineY(data, { x: middle, y: 'median', stroke: 'var(--ink)', strokeWidth: 2.25, clip: true })
        : null,
      shows('mean') ? dot(alone, { x: middle, y: 'mean', r: 3, fill: 'var(--mean)', symbol: 'diamond' }) : null,
      shows('median') ? dot(alone, { x: middle, y: 'median', r: 3, fill: 'var(--ink)' }) : null,
      ...lines.marks,
    ],
  });
  return { svg, marks: timeMarks(points, x, top, HEIGHT - TOP - BOTTOM, annotations) };
}
