import { areaY, axisX, axisY, dot, gridY, lineY } from '@observablehq/plot';
import { annotationLines } from '../../charts/annotation-lines.ts';
import type { ChartAnnotation } from '../../charts/chart-spec.ts';
import { draw } from '../../charts/draw.ts';
import type { Drawing, Mark, MarkLine } from '../../charts/drawing.ts';
import { axisRoom } from '../../charts/marks.ts';
import { type TimelinePoint, type TimelineSeries, timelineTop } from '../model/timeline-points.ts';
import { formatCount, formatMs } from '../text/format.ts';
import { formatDay, formatSpan, formatTime, startsDay } from '../text/moment.ts';
import { t } from '../text/t.ts';
import { dayTicks } from './day-ticks.ts';

const RIGHT = 24;

/** Sizes in px. */
interface Layout {
  readonly height: number;
  readonly top: number;
  readonly bottom: number;
  /** Ticks of the axis of values. */
  readonly ticks: number;
  /** Room for each tick of the time. */
  readonly tickWidth: number;
  timeLabel(at: Date, index: number, ticks?: readonly Date[]): string;
}

/** Below the axis are two lines: the hour, and the day where it starts. */
const LARGE: Layout = { height: 236, top: 10, bottom: 40, ticks: 4, tickWidth: 120, timeLabel };
const SMALL: Layout = {
  height: 132,
  top: 8,
  bottom: 24,
  ticks: 3,
  tickWidth: 140,
  timeLabel: (at) => (startsDay(at.getTime()) ? formatDay : formatTime)(at.getTime()),
};

/** Median and average over time, with p25 to p75 as a band and p95 above. Steps without samples are gaps. */
export function timelineChart(
  points: readonly TimelinePoint[],
  width: number,
  hidden: ReadonlySet<string> = new Set(),
  annotations: readonly ChartAnnotation[] = [],
): Drawing {
  return drawTimeline(points, width, hidden, annotations, LARGE);
}

/** Median and average over time, small. Steps without samples are gaps; the axis shows local time. */
export function trendChart(
  points: readonly TimelinePoint[],
  width: number,
  hidden: ReadonlySet<string>,
  annotations: readonly ChartAnnotation[] = [],
): Drawing {
  return drawTimeline(points, width, new Set([...hidden, 'band', 'p95']), annotations, SMALL);
}

function drawTimeline(
  points: readonly TimelinePoint[],
  width: number,
  hidden: ReadonlySet<string>,
  annotations: readonly ChartAnnotation[],
  layout: Layout,
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
  const top = Math.max(layout.top, lines.room);
  const { svg, x } = draw({
    width,
    height: layout.height - layout.top + top,
    marginLeft: left,
    marginRight: RIGHT,
    marginTop: top,
    marginBottom: layout.bottom,
    x: { type: 'time', domain: [from, to] },
    y: { domain: [0, highest] },
    marks: [
      gridY({ ticks: layout.ticks }),
      axisY({ ticks: layout.ticks, label: null, tickSize: 0, tickFormat: (ms: number) => formatMs(ms) }),
      axisX({
        ticks: dayTicks(from, to, Math.max(3, Math.floor(width / layout.tickWidth))),
        label: null,
        tickSize: 4,
        tickFormat: layout.timeLabel,
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
  return { svg, marks: timeMarks(points, x, top, layout.height - layout.top - layout.bottom, annotations) };
}

/** The time; the day below it at the first tick and where a day begins. */
function timeLabel(at: Date, index: number, ticks: readonly Date[] = []): string {
  const day = formatDay(at.getTime());
  const before = ticks[index - 1];
  if (ticks.every((tick) => startsDay(tick.getTime()))) return day;
  const time = formatTime(at.getTime());
  return before === undefined || formatDay(before.getTime()) !== day ? `${time}\n${day}` : time;
}

/** A mark per step, from the top of the plot to its bottom. @param x px of a time */
export function timeMarks(
  points: readonly TimelinePoint[],
  x: (at: Date) => number,
  y: number,
  height: number,
  annotations: readonly ChartAnnotation[] = [],
): readonly Mark[] {
  return points.map((point) => {
    const range = { from: point.at.getTime(), to: point.end.getTime() };
    const left = x(point.at);
    return {
      box: { x: left, y, width: x(point.end) - left, height },
      title: formatSpan(range.from, range.to),
      lines: [...statisticLines(point), ...annotated(annotations, range)],
      range,
      ...(point.median === null ? {} : { requests: { from: point.at.toISOString(), to: point.end.toISOString() } }),
    };
  });
}

function annotated(annotations: readonly ChartAnnotation[], { from, to }: { from: number; to: number }): MarkLine[] {
  return annotations
    .filter(({ at, until }) => at < to && (until ?? at) >= from)
    .map(({ at, text }) => ({ label: text, value: formatTime(at) }));
}

function statisticLines({ n, median, mean, p25, p75, p95 }: TimelinePoint): readonly MarkLine[] {
  if (median === null) return [{ label: t.charts.notMeasured, value: '' }];
  const ms = (value: number | null) => `${formatMs(value ?? 0)} ms`;
  return [
    { label: t.charts.median, value: ms(median), colour: '--ink' },
    { label: t.charts.average, value: ms(mean), colour: '--mean' },
    { label: 'p25 – p75', value: `${formatMs(p25 ?? 0)} – ${ms(p75)}` },
    { label: 'p95', value: ms(p95), colour: '--phase-wait' },
    { label: t.charts.n, value: formatCount(n ?? 0) },
  ];
}
