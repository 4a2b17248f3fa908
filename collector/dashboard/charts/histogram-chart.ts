import { axisY, gridY, rectY } from '@observablehq/plot';
import { wordFor } from '../../analysis/text/word-for.ts';
import { draw } from '../../charts/draw.ts';
import type { Drawing, Mark } from '../../charts/drawing.ts';
import { axisRoom, bottomAxis, labelledLines, logTicks } from '../../charts/marks.ts';
import type { HistogramBar, HistogramBars, NamedPeak } from '../model/histogram-bars.ts';
import { formatCount, formatMs } from '../text/format.ts';
import { t } from '../text/t.ts';

const RIGHT = 14;
/** As tall as the chart over time beside it. */
const HEIGHT = 250;
/** Width of a peak's mark, px. */
const PEAK = 24;
const BOTTOM = 30;
/** Start of a log axis whose values include 0, ms. */
const SHORTEST = 0.05;

export interface HistogramMarks {
  readonly median: number;
  readonly mean: number;
  readonly peaks: readonly NamedPeak[] | null;
}

/** Requests by duration on a log axis, stacked by connection class, with median, average and peaks marked. */
export function histogramChart(bars: HistogramBars, marks: HistogramMarks, width: number): Drawing {
  const low = Math.max(SHORTEST, Math.min(bars.low, marks.median));
  const high = Math.max(bars.high, marks.mean, low * 2);
  const left = axisRoom(bars.highest, formatCount);
  const span = width - left - RIGHT;
  const at = (value: number) => (span * Math.log(Math.max(value, low) / low)) / Math.log(high / low);
  const lines = labelledLines(
    [
      { at: Math.max(marks.median, low), label: t.charts.medianOf(formatMs(marks.median)), colour: 'var(--ink)' },
      { at: marks.mean, label: t.charts.averageOf(formatMs(marks.mean)), colour: 'var(--mean)' },
      ...(marks.peaks ?? []).map((peak) => ({
        at: peak.at,
        label: t.charts.peak(peak.name),
        colour: 'var(--quiet)',
        dashed: true,
      })),
    ],
    at,
    span,
  );
  const { svg, x } = draw({
    width,
    height: HEIGHT + lines.room,
    margins: { top: lines.room, right: RIGHT, bottom: BOTTOM, left },
    x: { type: 'log', domain: [low, high], axis: null },
    y: { domain: [0, bars.highest], nice: true },
    marks: [
      gridY({ ticks: 4 }),
      axisY({ ticks: 4, label: null, tickSize: 0, tickFormat: (count: number) => formatCount(count) }),
      ...bottomAxis(logTicks(low, high, span), (ms) => t.numbers.upTo(ms, ms < 1 ? 3 : 0)),
      rectY(bars.bars as HistogramBar[], {
        x1: ({ from }: HistogramBar) => Math.max(from, low),
        x2: 'to',
        y1: 'low',
        y2: 'high',
        fill: ({ connection }: HistogramBar) => `var(--connection-${connection})`,
        insetLeft: 0.5,
        insetRight: 0.5,
      }),
      ...lines.marks,
    ],
  });
  const box = (from: number, to: number) => {
    const start = x(Math.max(from, low));
    return { x: start, y: lines.room, width: x(to) - start, height: HEIGHT - BOTTOM };
  };
  const peaks = marks.peaks ?? [];
  // Where its label is, above the bins.
  const peakBox = (at: number) => ({ x: x(at) - PEAK / 2, y: 0, width: PEAK, height: lines.room });
  return { svg, marks: [...binMarks(bars, peaks, box), ...peakMarks(bars, peaks, peakBox)] };
}

/** One mark per peak: the requests around it, where the bin below it has only a part of them. */
function peakMarks(
  { connections }: HistogramBars,
  peaks: readonly NamedPeak[],
  box: (at: number) => Mark['box'],
): readonly Mark[] {
  return peaks.map(({ at, from, to, name }) => ({
    box: box(at),
    title: t.charts.peak(name),
    lines: [{ label: `${formatMs(from)} – ${formatMs(to)} ms`, value: '' }],
    requests: { min: String(from), max: String(to), connection: connections },
  }));
}

/** One mark per bin, with its classes and the peak in it. */
function binMarks(
  { bars, connections }: HistogramBars,
  peaks: readonly NamedPeak[],
  box: (from: number, to: number) => Mark['box'],
): readonly Mark[] {
  const bins = new Map<number, HistogramBar[]>();
  for (const bar of bars) bins.set(bar.from, [...(bins.get(bar.from) ?? []), bar]);
  return [...bins]
    .sort(([one], [other]) => one - other)
    .map(([from, [first, ...others]]) => {
      const stacked = first === undefined ? [] : [first, ...others];
      const to = first?.to ?? from;
      const peak = peaks.find((one) => one.at >= from && one.at < to);
      return {
        box: box(from, to),
        title: `${formatMs(from)} – ${formatMs(to)} ms`,
        lines: [
          ...stacked.map(({ connection, count }) => ({
            label: wordFor(t.connections, connection),
            value: formatCount(count),
            colour: `--connection-${connection}`,
          })),
          ...(peak === undefined ? [] : [{ label: t.charts.peak(peak.name), value: '' }]),
        ],
        requests: { min: String(from), max: String(to), connection: connections },
      };
    });
}
