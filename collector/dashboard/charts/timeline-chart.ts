import { areaY, axisX, axisY, dot, gridY, lineY } from '@observablehq/plot';
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
const HEIGHT = 236;
const TOP = 10;
/** Two lines: the hour, and the day where it starts. */
const BOTTOM = 40;

/** Median and average over time, with p25 to p75 as a band and p95 above. Steps without samples are gaps. */
export function timelineChart(
  points: readonly TimelinePoint[],
  width: number,
  hidden: ReadonlySet<string> = new Set(),
  annotations: readonly ChartAnnotation[] = [],
): Drawing {
  const data = points as TimelinePoint[];
  const shows = (series: TimelineSeries) => !hidden.has(series);
  const { top: highest } = timelineTop(points, hidden);
  // A value is drawn at the middle of its step.
  const middle = ({ at, end }: TimelinePoint) => new Date((at.getTime() + end.getTime()) / 2);
  const from = points[0]?.at ?? new Date(0);
  const to = points.at(-1)?.end ?? new Date(1);
  const line = (y: 'median' | 'mean' | 'p95', stroke: string, strokeWidth: number, dash?: string) =>
    shows(y)
      ? lineY(data, {
          x: middle,
          y,
          stroke,
          strokeWidth,
          clip: true,
          ...(dash === undefined ? {} : { strokeDasharray: dash }),
        })
      : null;
  const alone = data.filter((point) => point.alone);
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
      gridY({ ticks: 4 }),
      axisY({ ticks: 4, label: null, tickSize: 0, tickFormat: (ms: number) => formatMs(ms) }),
      axisX({
        ticks: dayTicks(from, to, Math.max(3, Math.floor(width / 120))),
        label: null,
        tickSize: 4,
        tickFormat: timeLabel,
      }),
      shows('band')
        ? areaY(data, { x: middle, y1: 'p25', y2: 'p75', fill: 'var(--phase-wait)', fillOpacity: 0.22, clip: true })
        : null,
      line('p95', 'var(--phase-wait)', 1.25, '3 3'),
      line('mean', 'var(--mean)', 1.75, '7 3'),
      line('median', 'var(--ink)', 2.25),
      shows('median') ? dot(alone, { x: middle, y: 'median', r: 3, fill: 'var(--ink)' }) : null,
      shows('mean') ? dot(alone, { x: middle, y: 'mean', r: 3, fill: 'var(--mean)', symbol: 'diamond' }) : null,
      ...lines.marks,
    ],
  });
  return { svg, marks: timeMarks(points, x, top, HEIGHT - TOP - BOTTOM, annotations) };
}

/** The time; the day below it at the first tick and where a day begins. */
function timeLabel(at: Date, index: number, ticks: readonly Date[] = []): string {
  const day = formatDay(at.getTime());
  const before = ticks[index - 1];
  if (ticks.every((tick) => startsDay(tick.getTime()))) return day;
  const time = formatTime(at.getTime());
  return before === undefined || formatDay(before.getTime()) !== day ? `${time}\n${day}` : time;
}
