import { axisX, rectY, ruleY, text } from '@observablehq/plot';
import { draw } from '../../dashboard/charts/draw.ts';
import { formatMs } from '../../dashboard/model/format.ts';
import type { HistogramLine } from '../chart-spec.ts';

const ROW = 84;
const LEFT = 150;
const TICKS_MS = [0.1, 0.3, 1, 3, 10, 30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000];

/** One row a scenario on the same logarithmic axis, each scaled to its own tallest bin: it is peaks that are compared. */
export function histogramChart(lines: readonly HistogramLine[], width: number): SVGSVGElement {
  const drawn = lines.map(({ name, bins }) => ({
    name,
    bins: bins.filter(({ from, count }) => from > 0 && count > 0),
  }));
  const edges = drawn.flatMap(({ bins }) => bins.flatMap(({ from, to }) => [from, to]));
  const [low, high] = [Math.min(...edges, 1), Math.max(...edges, 10)];
  const bars = drawn.flatMap(({ name, bins }, row) => {
    const tallest = Math.max(1, ...bins.map(({ count }) => count));
    return bins.map(({ from, to, count }) => ({
      name,
      from,
      to,
      count,
      y1: -row,
      y2: -row + (0.82 * count) / tallest,
    }));
  });
  type Bar = (typeof bars)[number];
  return draw({
    width,
    height: ROW * lines.length + 34,
    marginLeft: LEFT,
    marginRight: 16,
    marginTop: 4,
    marginBottom: 30,
    x: { type: 'log', domain: [low, high] },
    y: { domain: [1 - lines.length, 1], axis: null },
    marks: [
      axisX({
        ticks: TICKS_MS.filter((tick) => tick >= low && tick <= high),
        tickFormat: (tick: number) => `${formatMs(tick)} ms`,
        label: null,
        tickSize: 3,
      }),
      rectY(bars, {
        x1: 'from',
        x2: 'to',
        y1: 'y1',
        y2: 'y2',
        fill: 'var(--phase-wait)',
        insetLeft: 0.5,
        title: ({ name, from, to, count }: Bar) => `${name}: ${count}, ${formatMs(from)}–${formatMs(to)} ms`,
      }),
      ruleY(
        lines.map((_, row) => -row),
        { stroke: 'var(--quiet)' },
      ),
      text(
        lines.map(({ name }, row) => ({ name, row })),
        {
          x: () => low,
          y: ({ row }: { row: number }) => -row + 0.35,
          text: 'name',
          textAnchor: 'end',
          dx: -10,
          fill: 'var(--ink)',
          fontWeight: 600,
          lineWidth: 13,
        },
      ),
    ],
  });
}
