import { axisY, gridY, rectY } from '@observablehq/plot';
import { draw } from '../../charts/draw.ts';
import { bottomAxis, labelledLines, logTicks } from '../../charts/marks.ts';
import type { HistogramBar, HistogramBars, NamedPeak } from '../model/histogram-bars.ts';
import { formatCount, formatMs } from '../text/format.ts';
import { t } from '../text/t.ts';

const LEFT = 46;
const RIGHT = 14;
const HEIGHT = 190;
const BOTTOM = 30;
/** Start of a log axis whose values include 0, ms. */
const SHORTEST = 0.05;

export interface HistogramMarks {
  readonly median: number;
  readonly mean: number;
  readonly peaks: readonly NamedPeak[] | null;
}

/** Requests by duration on a log axis, stacked by connection class, with median, average and peaks marked. */
export function histogramChart(bars: HistogramBars, marks: HistogramMarks, width: number): SVGSVGElement {
  const low = Math.max(SHORTEST, Math.min(bars.low, marks.median));
  const high = Math.max(bars.high, marks.mean, low * 2);
  const span = width - LEFT - RIGHT;
  const x = (at: number) => (span * Math.log(Math.max(at, low) / low)) / Math.log(high / low);
  const lines = labelledLines(
    [
      { at: Math.max(marks.median, low), label: t.charts.medianOf(formatMs(marks.median)), colour: 'var(--ink)' },
      { at: marks.mean, label: t.charts.averageOf(formatMs(marks.mean)), colour: 'var(--mean)' },
      ...(marks.peaks ?? []).map(({ at, name }) => ({
        at,
        label: t.charts.peak(name),
        colour: 'var(--quiet)',
        dashed: true,
      })),
    ],
    x,
    span,
  );
  return draw({
    width,
    height: HEIGHT + lines.room,
    marginLeft: LEFT,
    marginRight: RIGHT,
    marginTop: lines.room,
    marginBottom: BOTTOM,
    x: { type: 'log', domain: [low, high], axis: null },
    y: { domain: [0, bars.highest], nice: true },
    marks: [
      gridY({ ticks: 4 }),
      axisY({ ticks: 4, label: null, tickSize: 0, tickFormat: (count: number) => formatCount(count) }),
      ...bottomAxis(logTicks(low, high, span), (ms) => (ms < 1 ? String(ms) : formatCount(ms))),
      rectY(bars.bars as HistogramBar[], {
        x1: ({ from }: HistogramBar) => Math.max(from, low),
        x2: 'to',
        y1: 'low',
        y2: 'high',
        fill: ({ connection }: HistogramBar) => `var(--connection-${connection})`,
        insetLeft: 0.5,
        insetRight: 0.5,
        title: ({ from, to, count, connection }: HistogramBar) =>
          `${formatMs(from)} to ${formatMs(to)} ms, ${connection}: ${formatCount(count)}`,
      }),
      ...lines.marks,
    ],
  });
}
