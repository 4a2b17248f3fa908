import type { ChartAnnotation } from '../../charts/chart-spec.ts';
import type { Mark, MarkLine } from '../../charts/drawing.ts';
import type { TimelinePoint } from '../model/timeline-points.ts';
import { formatCount, formatMs } from '../text/format.ts';
import { formatSpan, formatTime } from '../text/moment.ts';
import { t } from '../text/t.ts';

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
      lines: [...linesOf(point), ...annotated(annotations, range)],
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

function linesOf({ n, median, mean, p25, p75, p95 }: TimelinePoint): readonly MarkLine[] {
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
