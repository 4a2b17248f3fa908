import { areaY, axisX, axisY, dot, gridY, lineY, rect, ruleY } from '@observablehq/plot';
import type { TimeRange } from '../../../shared/vocabulary/dimensions.ts';
import { annotationLines } from '../../charts/annotation-lines.ts';
import type { ChartAnnotation } from '../../charts/chart-spec.ts';
import { draw } from '../../charts/draw.ts';
import type { Drawing, Mark, MarkLine } from '../../charts/drawing.ts';
import { axisRoom } from '../../charts/marks.ts';
import { type TimelinePoint, type TimelineSeries, timeAxis, timelineTop } from '../model/timeline-points.ts';
import { formatCount, formatMs } from '../text/format.ts';
import { formatDay, formatSpan, formatTime, startsDay } from '../text/moment.ts';
import { t } from '../text/t.ts';
import { dayTicks } from './day-ticks.ts';

const RIGHT = 30;
/** Of the highest value: the room below the axis for the requests of each step, and the height of most of them. */
const VOLUME_ROOM = 0.3;
const VOLUME = 0.22;

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
const LARGE: Layout = { height: 276, top: 10, bottom: 40, ticks: 4, tickWidth: 120, timeLabel };
const SMALL: Layout = {
  height: 170,
  top: 8,
  bottom: 24,
  ticks: 3,
  tickWidth: 140,
  timeLabel: (at, index, ticks) =>
    (startsDay(at.getTime()) || beginsDay(at, index, ticks) ? formatDay : formatTime)(at.getTime()),
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
  const axis = timeAxis(points);
  const place = (at: number | Date) => new Date(axis.place(at.valueOf()));
  // A value is drawn at the middle of its step.
  const middle = ({ at, end }: TimelinePoint) => place((at.getTime() + end.getTime()) / 2);
  const [from, to] = [points[0]?.at ?? new Date(0), points.at(-1)?.end ?? new Date(1)];
  const domain = [place(from), place(to)] as const;
  const most = Math.max(3, Math.floor(width / layout.tickWidth));
  const ticks = axis.idle.length > 0 ? busyTicks(points, axis.idle, most) : dayTicks(from, to, most);
  const floor = -VOLUME_ROOM * highest;
  const busiest = Math.max(1, ...points.map(({ n }) => n ?? 0));
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
  const placed = annotations.map((one) => ({
    ...one,
    at: axis.place(one.at),
    until: one.until === null ? null : axis.place(one.until),
  }));
  const lines = annotationLines(placed, domain, width - left - RIGHT);
  const top = Math.max(layout.top, lines.room);
  const { svg, x } = draw({
    width,
    height: layout.height - layout.top + top,
    margins: { top: top, right: RIGHT, bottom: layout.bottom, left },
    x: { type: 'time', domain },
    y: { domain: [floor, highest] },
    marks: [
      rect(axis.idle, {
        x1: ({ from: start }) => place(start),
        x2: ({ to: end }) => place(end),
        fill: 'var(--quiet)',
        fillOpacity: 0.08,
      }),
      gridY({ ticks: layout.ticks, filter: isValue }),
      axisY({ ticks: layout.ticks, label: null, tickSize: 0, tickFormat: formatMs, filter: isValue }),
      ruleY([0], { stroke: 'var(--line-strong)' }),
      rect(data, {
        x1: ({ at }: TimelinePoint) => place(at),
        x2: ({ end }: TimelinePoint) => place(end),
        y1: () => floor,
        y2: ({ n }: TimelinePoint) => floor + (VOLUME * highest * (n ?? 0)) / busiest,
        fill: 'var(--quiet)',
        fillOpacity: 0.45,
        insetLeft: 0.5,
        insetRight: 0.5,
      }),
      axisX({
        ticks: typeof ticks === 'number' ? ticks : ticks.map(place),
        label: null,
        tickSize: 4,
        tickFormat: (at: Date, index: number, all: readonly Date[] = []) =>
          typeof ticks === 'number'
            ? layout.timeLabel(at, index, all)
            : layout.timeLabel(ticks[index] ?? at, index, ticks),
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
  return {
    svg,
    marks: timeMarks(points, (at) => x(place(at)), top, layout.height - layout.top - layout.bottom, annotations),
  };
}

/** The time; the day below it at the first tick and where a day begins. */
function timeLabel(at: Date, index: number, ticks: readonly Date[] = []): string {
  const day = formatDay(at.getTime());
  if (ticks.every((tick) => startsDay(tick.getTime()))) return day;
  const time = formatTime(at.getTime());
  return index === 0 || beginsDay(at, index, ticks) ? `${time}\n${day}` : time;
}

/** On another day than the tick before. */
function beginsDay(at: Date, index: number, ticks: readonly Date[] = []): boolean {
  const before = ticks[index - 1];
  return before !== undefined && formatDay(before.getTime()) !== formatDay(at.getTime());
}

/** Below the axis are no times, but numbers of requests. */
function isValue(ms: number): boolean {
  return ms >= 0;
}

/** The starts of steps with requests, at even distances. */
function busyTicks(points: readonly TimelinePoint[], idle: readonly TimeRange[], most: number): Date[] {
  const busy = points.filter(({ at }) => !idle.some(({ from, to }) => at.getTime() >= from && at.getTime() < to));
  const every = Math.max(1, Math.ceil(busy.length / most));
  return busy.filter((_, index) => index % every === 0).map(({ at }) => at);
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
